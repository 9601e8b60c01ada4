import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import type { ConfigPath } from '../items/config-path.ts';
import { asTexts } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';

/** More would freeze the page; a search finds the others. */
const mostShown = 100;

/** Sources and tools by name; missing ones are marked and kept. */
export function ToolIdsField({ path }: { path: ConfigPath }) {
  const { t } = useTranslation();
  const { value, set, error } = useField(path);
  const list = useQuery(query(adminToolsApi.list, {}));
  const ids = [...new Set(asTexts(value))].filter((id) => id !== '*');
  const groups = (list.data?.sources ?? []).map(({ id, title, tools }) => ({
    group: title,
    items: [
      { value: id, label: t('adminConfig.tools.allOf', { source: title }) },
      ...tools.map((tool) => ({ value: tool.id, label: `${tool.title} (${tool.id})` })),
    ],
  }));
  const known = new Set(groups.flatMap(({ items }) => items.map((item) => item.value)));
  const others = ids.filter((id) => !known.has(id));
  return (
    <MultiSelect
      aria-label={t('adminConfig.tools.title')}
      value={ids}
      error={error}
      placeholder={ids.length === 0 ? t('adminConfig.tools.pick') : ''}
      data={[
        ...groups,
        ...others.map((id) => ({
          value: id,
          label: list.data ? t('adminConfig.ids.unknown', { id }) : id,
        })),
      ]}
      limit={mostShown}
      searchable
      hidePickedOptions
      nothingFoundMessage={t('adminConfig.ids.nothing')}
      onChange={set}
    />
  );
}
