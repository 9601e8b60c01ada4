import { readGitOrigin, repositoryName, shortCommit } from '@knowhow/shared/skills/git-commit';
import type { SkillVersion } from '@knowhow/shared/skills/skill-versions';
import { useTranslation } from 'react-i18next';

/** Returns the label of where a version comes from. */
export function useOriginName(): (origin: SkillVersion['origin']) => string {
  const { t } = useTranslation();
  return ({ kind, detail }) => {
    const names = labels[kind];
    const git = kind === 'git' && detail !== undefined ? readGitOrigin(detail) : undefined;
    if (git) {
      const parts = [repositoryName(git.url), git.path, shortCommit(git.commit)];
      return t('skillPage.origin.gitCommit', { detail: parts.filter(Boolean).join(' · ') });
    }
    return detail === undefined ? t(names.plain) : t(names.detailed ?? names.plain, { detail });
  };
}

const labels = {
  page: { plain: 'skillPage.origin.page', detailed: undefined },
  import: { plain: 'skillPage.origin.imported', detailed: 'skillPage.origin.importedFile' },
  git: { plain: 'skillPage.origin.git', detailed: 'skillPage.origin.gitCommit' },
  plugin: { plain: 'skillPage.origin.plugin', detailed: 'skillPage.origin.pluginName' },
  api: { plain: 'skillPage.origin.api', detailed: undefined },
  'file-system': { plain: 'skillPage.origin.fileSystem', detailed: undefined },
  restore: { plain: 'skillPage.origin.restore', detailed: 'skillPage.origin.restoreOf' },
} as const;
