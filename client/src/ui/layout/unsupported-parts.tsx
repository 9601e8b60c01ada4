import type { LeftPart } from '@knowhow/shared/skills/skill-origin';
import { useTranslation } from 'react-i18next';
import { revealHiddenCharacters } from '../text/visible-text.ts';
import classes from './unsupported-parts.module.css';

/** Parts without effect here, each with the reason. */
export function UnsupportedParts({ left }: { left: readonly LeftPart[] }) {
  const { t } = useTranslation();
  return (
    left.length > 0 && (
      <dl className={classes.parts}>
        {left.map(({ what, why }) => (
          <div key={what}>
            <dt>{revealHiddenCharacters(what)}</dt>
            <dd>{t(leftWords[why])}</dd>
          </div>
        ))}
      </dl>
    )
  );
}

const leftWords = {
  'no-effect': 'leftParts.no-effect',
  'needs-runner': 'leftParts.needs-runner',
  'needs-database': 'leftParts.needs-database',
  'mcp-server': 'leftParts.mcp-server',
  'sub-agent': 'leftParts.sub-agent',
  hook: 'leftParts.hook',
  elsewhere: 'leftParts.elsewhere',
  model: 'leftParts.model',
  'built-in-here': 'leftParts.built-in-here',
  'built-in-there': 'leftParts.built-in-there',
} as const;
