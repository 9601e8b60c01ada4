import type { SourcePlugin } from '@knowhow/shared/skill-origin';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/expander.tsx';
import { LeftParts } from '../../ui/left-parts.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** The plugins of an archive: how many skills each brings, and what of it has no effect here. */
export function SourcePlugins({ plugins }: { plugins: readonly SourcePlugin[] }) {
  const { t } = useTranslation();
  return plugins.map(({ name, folder, skills, left }) => (
    <Expander
      key={`${folder} ${name}`}
      summary={t('skillImport.plugin', { name: visibleText(name), count: skills })}
    >
      {left.length > 0 ? <LeftParts left={left} /> : <p>{t('skillImport.pluginWhole')}</p>}
    </Expander>
  ));
}
