import type { SkillOrigin } from '@knowhow/shared/skills/skill-origin';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/layout/expander.tsx';
import parts from '../../ui/layout/unsupported-parts.module.css';
import { UnsupportedParts } from '../../ui/layout/unsupported-parts.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './skill-origin.module.css';

/** The source of a converted skill. */
export function OriginNote({ origin }: { origin: SkillOrigin }) {
  const { t } = useTranslation();
  const facts = [
    t(originWords[origin.kind], { name: revealHiddenCharacters(origin.name) }),
    ...(origin.tool ? [t('skillImport.bringsTool', { name: origin.tool })] : []),
    ...(origin.off ? [t('skillImport.importedOff')] : []),
  ];
  return <p className={classes.note}>{facts.join(' · ')}</p>;
}

/** The converted parts, and the parts without effect here. */
export function OriginParts({ origin }: { origin: SkillOrigin }) {
  const { t } = useTranslation();
  const { mapped, left } = origin;
  const count = mapped.length + left.length;
  return (
    count > 0 && (
      <Expander summary={t('skillImport.parts', { count })}>
        {mapped.length > 0 && (
          <dl className={parts.parts}>
            {mapped.map(({ from, to }) => (
              <div key={from}>
                <dt>{revealHiddenCharacters(from)}</dt>
                <dd>
                  {t('skillImport.becomes')} <code>{revealHiddenCharacters(to)}</code>
                </dd>
              </div>
            ))}
          </dl>
        )}
        <UnsupportedParts left={left} />
      </Expander>
    )
  );
}

const originWords = {
  'anythingllm-plugin': 'skillImport.origins.anythingllm-plugin',
  'agent-flow': 'skillImport.origins.agent-flow',
  'typed-skill': 'skillImport.origins.typed-skill',
  plugin: 'skillImport.origins.plugin',
} as const;
