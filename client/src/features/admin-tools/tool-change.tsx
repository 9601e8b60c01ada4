import type { AdminTool } from '@knowhow/shared/config/admin-tools';
import { useTranslation } from 'react-i18next';
import { TwoVersions } from '../../ui/files/two-versions.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';

/** The differences of a changed tool from the accepted version: title, description or schema. */
export function ToolChange({ tool, was }: { tool: AdminTool; was: NonNullable<AdminTool['was']> }) {
  const { t } = useTranslation();
  return (
    <Section title={t('adminTools.was')}>
      <TwoVersions
        theirs={serializeTool(was)}
        mine={serializeTool(tool)}
        titles={{ theirs: t('adminTools.wasBefore'), mine: t('adminTools.wasNow') }}
      />
    </Section>
  );
}

/** With sorted keys, because their order does not matter. */
function serializeTool({ title, description, parameters }: NonNullable<AdminTool['was']>): string {
  const schema = JSON.stringify(sortKeys(parameters), null, 2);
  return revealHiddenCharacters([title, '', description, '', schema].join('\n'));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortKeys);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortKeys(part)]));
}
