import { useNavigate, useParams } from 'react-router';
import { addToNewDraft } from '../../features/composer/use-draft.ts';
import { MySkillPage, NewMySkillPage } from '../../features/my-skills/my-skill-page.tsx';
import { MySkillsPage } from '../../features/my-skills/my-skills-page.tsx';
import { PageBar } from './page-bar.tsx';

/** The user's own skills, and a page for each. */
export function MySkillsArea() {
  const navigate = useNavigate();
  const { name } = useParams();

  function tryIt(id: string) {
    addToNewDraft(id);
    void navigate(`/use/${encodeURIComponent(id)}`);
  }

  return (
    <>
      <PageBar />
      {name === undefined ? (
        <MySkillsPage />
      ) : name === 'new' ? (
        <NewMySkillPage onTry={tryIt} />
      ) : (
        <MySkillPage key={name} name={name} onTry={tryIt} />
      )}
    </>
  );
}
