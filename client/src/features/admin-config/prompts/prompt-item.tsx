import { useTranslation } from 'react-i18next';
import { ItemPage } from '../items/item-page.tsx';
import { PromptFields } from './prompt-fields.tsx';
import { PromptPreview } from './prompt-preview.tsx';

export function PromptItem({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <ItemPage
      kind="prompts"
      id={id}
      losses={[t('adminConfig.prompt.lossUse')]}
      facts={<PromptPreview />}
    >
      <PromptFields />
    </ItemPage>
  );
}
