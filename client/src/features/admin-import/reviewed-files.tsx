import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { IconEyeExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/layout/expander.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useSkillTexts } from '../../ui/text/use-skill-texts.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './reviewed-files.module.css';

type Files = Pick<SkillReport, 'files'>;

/** Files to review before the installation. */
export function FileDiagnostics({ files }: Files) {
  const { say } = useSkillTexts();
  const diagnostics = files.flatMap(({ path, diagnostics: own }) =>
    own.map((diagnostic) => ({ ...diagnostic, path })),
  );
  if (diagnostics.length === 0) {
    return null;
  }
  return (
    <ul className={classes.diagnostics}>
      {diagnostics.map(({ path, ...diagnostic }) => (
        <li key={`${path} ${diagnostic.code} ${diagnostic.line}`}>
          <IconEyeExclamation className={classes.icon} size={17} aria-hidden />
          <span className={classes.text}>
            <bdi className={classes.path}>{revealHiddenCharacters(path)}</bdi> {say(diagnostic)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The files of a skill, with executable ones marked. */
export function ReviewedFiles({ files }: Files) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return (
    <Expander summary={t('skillImport.files', { count: files.length })}>
      <ul className={classes.files}>
        {files.map(({ path, size, script }) => (
          <li key={path}>
            <bdi className={classes.path}>{revealHiddenCharacters(path)}</bdi>
            {script && <span className={classes.script}>{t('skillImport.script')}</span>}
            <span className={classes.size}>{bytes(size)}</span>
          </li>
        ))}
      </ul>
    </Expander>
  );
}
