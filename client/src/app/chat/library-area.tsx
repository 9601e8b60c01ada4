import { appsApi } from '@knowhow/shared/config/apps';
import { IconLayoutSidebar, IconPencilPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useOutletContext, useParams } from 'react-router';
import { allItems } from '../../api/query.ts';
import { addExampleToNewDraft, addToNewDraft } from '../../features/composer/use-draft.ts';
import { LibraryPage } from '../../features/library/library-page.tsx';
import { LibrarySkillPage } from '../../features/library/library-skill-page.tsx';
import { useLocalize } from '../../i18n/use-localize.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ShellOutlet } from '../frame/shell-outlet.ts';
import classes from './top-bar.module.css';

/** The library of skills, and a page for each. Without the sidebar, a bar above opens it. */
export function LibraryArea() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { name } = useParams();
  const { hasSidebar, openSidebar } = useOutletContext<ShellOutlet>();
  const appNames = useAppNames();

  function use(skill: string, text?: string) {
    if (text === undefined) {
      addToNewDraft(skill);
    } else {
      addExampleToNewDraft(skill, text);
    }
    void navigate(`/use/${encodeURIComponent(skill)}`);
  }

  return (
    <>
      {!hasSidebar && (
        <div className={classes.bar}>
          <IconButton
            label={t('shell.openSidebar')}
            icon={<IconLayoutSidebar size={18} />}
            onClick={openSidebar}
          />
          <span className={classes.gap} />
          <IconButton
            label={t('action.newConversation')}
            icon={<IconPencilPlus size={18} />}
            onClick={() => navigate('/')}
          />
        </div>
      )}
      {name === undefined ? (
        <LibraryPage />
      ) : (
        <LibrarySkillPage key={name} name={name} appNames={appNames} onUse={use} />
      )}
    </>
  );
}

function useAppNames(): ReadonlyMap<string, string> {
  const localize = useLocalize();
  const { data = [] } = useQuery({ ...allItems(appsApi.list, {}), staleTime: 60_000 });
  return new Map(data.map(({ id, name }) => [id, localize(name)]));
}
