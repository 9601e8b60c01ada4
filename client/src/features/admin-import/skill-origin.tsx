import type { LeftPart, SkillOrigin } from '@knowhow/shared/skill-origin';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/expander.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import classes from './skill-origin.module.css';

/** What a skill was made from. */
export function OriginNote({ origin }: { origin: SkillOrigin }) {
  const { t } = useTranslation();
  const facts = [
    t(originWords[origin.kind], { name: visibleText(origin.name) }),
    ...(origin.tool ? [t('skillImport.bringsTool', { name: origin.tool })] : []),
    ...(origin.off ? [t('skillImport.importedOff')] : []),
  ];
  return <p className={classes.note}>{facts.join(' · ')}</p>;
}

/** What became of its parts: what was taken over, and what has no effect here. */
export function OriginParts({ origin }: { origin: SkillOrigin }) {
  const { t } = useTranslation();
  const { mapped, left } = origin;
  const count = mapped.length + left.length;
  return (
    count > 0 && (
      <Expander summary={t('skillImport.parts', { count })}>
        {mapped.length > 0 && (
          <dl className={classes.parts}>
            {mapped.map(({ from, to }) => (
              <div key={from}>
                <dt>{visibleText(from)}</dt>
                <dd>
                  {t('skillImport.becomes')} <code>{visibleText(to)}</code>
                </dd>
              </div>
            ))}
          </dl>
        )}
        <LeftParts left={left} />
      </Expander>
    )
  );
}

/** What has no effect here, each with the reason. */
export function LeftParts({ left }: { left: readonly LeftPart[] }) {
  const { t } = useTranslation();
  return (
    left.length > 0 && (
      <dl className={classes.parts}>
        {left.map(({ what, why }) => (
          <div key={what}>
            <dt>{visibleText(what)}</dt>
            <dd>{t(leftWords[why])}</dd>
          </div>
        ))}
      </dl>
    )
  );
}

const originWords = {
  'anythingllm-plugin': 'skillImport.origins.anythingllm-plugin',
  'agent-flow': 'skillImport.origins.agent-flow',
  'typed-skill': 'skillImport.origins.typed-skill',
  plugin: 'skillImport.origins.plugin',
} as const;

const leftWords = {
  'no-effect': 'skillImport.left.no-effect',
  'needs-runner': 'skillImport.left.needs-runner',
  'needs-database': 'skillImport.left.needs-database',
  'mcp-server': 'skillImport.left.mcp-server',
  'sub-agent': 'skillImport.left.sub-agent',
  hook: 'skillImport.left.hook',
  elsewhere: 'skillImport.left.elsewhere',
  model: 'skillImport.left.model',
} as const;
