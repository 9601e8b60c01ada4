import type { LeftOut, LeftOutReason } from '@knowhow/shared/skills/left-out';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/layout/expander.tsx';
import classes from './review-step.module.css';

const reasons = {
  'system-file': 'skillImport.leftOutWhy.system-file',
  'tool-folder': 'skillImport.leftOutWhy.tool-folder',
  link: 'skillImport.leftOutWhy.link',
  'back-slash': 'skillImport.leftOutWhy.back-slash',
  'special-file': 'skillImport.leftOutWhy.special-file',
  'too-large': 'skillImport.leftOutWhy.too-large',
  'no-skill': 'skillImport.leftOutWhy.no-skill',
} as const satisfies Record<LeftOutReason, string>;

/** Files of an archive that belong to no skill, and why. */
export function LeftOutFiles({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const { t } = useTranslation();
  const count = leftOut.reduce((sum, { files }) => sum + files, 0);
  if (count === 0) {
    return null;
  }
  return (
    <Expander summary={t('skillImport.leftOut', { count })}>
      <ul className={classes.leftOut}>
        {leftOut.map(({ path, files, why }) => (
          <li key={`${why} ${path}`}>
            {path === undefined ? (
              t('skillImport.leftOutMore', { count: files })
            ) : (
              <code>{path}</code>
            )}
            {path !== undefined && files > 1 && ` (${t('skillImport.files', { count: files })})`}
            {': '}
            {t(reasons[why])}
          </li>
        ))}
      </ul>
    </Expander>
  );
}
