import { appsApi } from '@knowhow/shared/config/apps';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { allItems } from '../../api/query.ts';
import { addExampleToNewDraft, addToNewDraft } from '../../features/composer/use-draft.ts';
import { LibraryPage } from '../../features/library/library-page.tsx';
import { LibrarySkillPage } from '../../features/library/library-skill-page.tsx';
import { useLocalize } from '../../i18n/use-localize.ts';
import { PageBar } from './page-bar.tsx';

/** The library of skills, and a page for each. */
export function LibraryArea() {
  const navigate = useNavigate();
  const { name } = useParams();
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
      <PageBar />
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
