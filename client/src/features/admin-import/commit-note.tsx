import { type GitCommit, shortCommit } from '@knowhow/shared/skills/git-commit';
import { useTranslation } from 'react-i18next';
import classes from './review-step.module.css';

/** The commit that was read, with its branch and folder. */
export function CommitNote({ commit: { commit, ref, path } }: { commit: GitCommit }) {
  const { t } = useTranslation();
  return (
    <p className={classes.commit}>
      {[
        t('skillImport.commit', { commit: shortCommit(commit) }),
        ...(ref === undefined ? [] : [ref]),
        ...(path === '' ? [] : [t('skillImport.commitFolder', { path })]),
      ].join(' · ')}
    </p>
  );
}
