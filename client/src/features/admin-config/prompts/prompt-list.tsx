import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { asLocalized, asText } from '../items/config-value.ts';
import { ItemList } from '../items/item-list.tsx';
import { SharedPrompts } from './shared-prompts.tsx';

export function PromptList() {
  const { t } = useTranslation();
  const localize = useLocalize();
  return (
    <ItemList
      kind="prompts"
      columns={[
        {
          label: t('adminConfig.description'),
          render: ({ config }) => localize(asLocalized(config?.description)),
        },
        {
          label: t('adminConfig.prompt.category'),
          render: ({ config }) => asText(config?.category),
        },
      ]}
    >
      <SharedPrompts />
    </ItemList>
  );
}
