import { useTranslation } from 'react-i18next';
import { useRight } from '../../../ui/rights.ts';
import { ChoiceField } from '../choice-field.tsx';
import { FormSection } from '../form-section.tsx';
import classes from '../items/item-page.module.css';
import { TextField } from '../text-field.tsx';
import { SettingNumber } from './setting-number.tsx';
import { WordsField } from './words-field.tsx';

const providers = ['openai', 'mistral', 'local'].map((id) => ({ value: id, label: id }));

/** Outbound connections of the server: for full administrators only. */
export function ReachSettings() {
  const { t } = useTranslation();
  if (!useRight()) {
    return null;
  }
  return (
    <>
      <FormSection title={t('settings.outbound')} fields={['outbound']}>
        <WordsField
          path="outbound.allowPrivate"
          label={t('settings.allowPrivate')}
          description={t('settings.allowPrivateAbout')}
        />
      </FormSection>
      <FormSection
        title={t('settings.embedder')}
        description={t('settings.embedderAbout')}
        fields={['embedder']}
      >
        <div className={classes.pair}>
          <ChoiceField
            path="embedder.provider"
            label={t('settings.provider')}
            choices={providers}
            nothing={t('settings.noEmbedder')}
          />
          <TextField path="embedder.modelId" label={t('settings.modelId')} isCode />
          <TextField path="embedder.url" label={t('settings.url')} isCode />
          <TextField path="embedder.apiKeyEnv" label={t('settings.apiKeyEnv')} isCode />
          <SettingNumber path="embedder.maxWaitMs" label={t('settings.maxWaitMs')} fallback={400} />
        </div>
      </FormSection>
    </>
  );
}
