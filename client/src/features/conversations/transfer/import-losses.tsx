import type { ImportReport, importLosses } from '@knowhow/shared/chat/conversation-import';
import { useTranslation } from 'react-i18next';
import classes from './import-plan.module.css';

/** Content of a file that is converted or lost, and conversations that are too long to continue. */
export function ImportLosses({ losses, full }: Pick<ImportReport, 'losses' | 'full'>) {
  const { t } = useTranslation();
  const groups = [
    { label: t('importing.kept'), items: losses.filter(({ isKept }) => isKept) },
    { label: t('importing.lost'), items: losses.filter(({ isKept }) => !isKept) },
  ];
  const wordsOf = (what: string) => {
    const known = names.get(what);
    return known === undefined ? t('importing.what.other', { what }) : t(known);
  };
  return losses.length === 0 && full === 0 ? null : (
    <dl className={classes.losses}>
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ label, items }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {items
                .map(({ what, count }) => t('importing.times', { what: wordsOf(what), count }))
                .join(', ')}
            </dd>
          </div>
        ))}
      {full > 0 && (
        <div>
          <dt>{t('importing.full', { count: full })}</dt>
          <dd>{t('importing.fullNext')}</dd>
        </div>
      )}
    </dl>
  );
}

const words = {
  pictures: 'importing.what.pictures',
  files: 'importing.what.files',
  audio: 'importing.what.audio',
  instructions: 'importing.what.instructions',
  'other-lines': 'importing.what.otherLines',
  'tool-results': 'importing.what.toolResults',
  cut: 'importing.what.cut',
  unreadable: 'importing.what.unreadable',
} as const satisfies Record<(typeof importLosses)[number], string>;

/** The file's own term for something may be any word. */
const names: ReadonlyMap<string, (typeof words)[keyof typeof words]> = new Map(
  Object.entries(words),
);
