import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Section } from '../../ui/layout/section.tsx';
import classes from './admin-sign-in.module.css';

interface MappingListProps {
  mappings: readonly { group: string; name: string; names: string[] }[];
}

/** The mapping of provider groups to our groups. */
export function MappingList({ mappings }: MappingListProps) {
  const { t } = useTranslation();
  return (
    <Section title={t('adminSignIn.mappings')} text={t('adminSignIn.mappingsAbout')}>
      {mappings.length === 0 && <p>{t('adminSignIn.noMappings')}</p>}
      <dl className={classes.facts}>
        {mappings.map(({ group, name, names }) => (
          <div key={group} className={classes.row}>
            <dt>
              <Link to={`/admin/groups/${encodeURIComponent(group)}`}>{name}</Link>
            </dt>
            <dd>{names.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
