import { useTranslation } from 'react-i18next';
import { ChoiceField } from '../choice-field.tsx';
import { FormSection } from '../form-section.tsx';
import classes from '../items/item-page.module.css';
import { LocalizedField } from '../localized-field.tsx';
import { NumberField } from '../number-field.tsx';
import { SwitchField } from '../switch-field.tsx';
import { TextField } from '../text-field.tsx';
import { useProviders } from './model-queries.ts';

/** All fields of a model. */
export function ModelFields() {
  const { t } = useTranslation();
  return (
    <>
      <FormSection
        title={t('adminConfig.model.basics')}
        holds={{ name: 'languages' }}
        fields={['enabled', 'default', 'description']}
      >
        <SwitchField
          path="enabled"
          label={t('adminConfig.enabled')}
          description={t('adminConfig.model.enabledAbout')}
        />
        <SwitchField
          path="default"
          label={t('adminConfig.model.default')}
          description={t('adminConfig.model.defaultAbout')}
        />
        <LocalizedField path="name" label={t('adminConfig.name')} />
        <LocalizedField path="description" label={t('adminConfig.description')} rows={1} />
      </FormSection>
      <Address />
      <Abilities />
      <Thinking />
      <Prices />
    </>
  );
}

function Address() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.model.where')}
      holds={{ provider: 'text', modelId: 'text' }}
      fields={['url', 'apiKeyEnv']}
    >
      <div className={classes.pair}>
        <ChoiceField
          path="provider"
          label={t('adminConfig.model.provider')}
          description={t('adminConfig.model.providerAbout')}
          choices={useProviders()}
        />
        <TextField
          path="modelId"
          label={t('adminConfig.model.modelId')}
          description={t('adminConfig.model.modelIdAbout')}
          isCode
        />
      </div>
      <TextField
        path="url"
        label={t('adminConfig.model.url')}
        description={t('adminConfig.model.urlAbout')}
        placeholder={t('adminConfig.model.urlDefault')}
        isCode
      />
      <TextField
        path="apiKeyEnv"
        label={t('adminConfig.model.keyVariable')}
        description={t('adminConfig.model.keyVariableAbout')}
        isCode
      />
    </FormSection>
  );
}

function Abilities() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.model.abilities')}
      holds={{ contextWindow: 'tokens' }}
      fields={['supportsTools', 'supportsVision', 'maxOutputTokens']}
    >
      <SwitchField
        path="supportsTools"
        label={t('adminConfig.model.tools')}
        description={t('adminConfig.model.toolsAbout')}
      />
      <SwitchField path="supportsVision" label={t('adminConfig.model.vision')} />
      <div className={classes.pair}>
        <NumberField
          path="contextWindow"
          label={t('adminConfig.model.contextWindow')}
          description={t('adminConfig.model.contextWindowAbout')}
        />
        <NumberField
          path="maxOutputTokens"
          label={t('adminConfig.model.maxOutput')}
          description={t('adminConfig.model.maxOutputAbout')}
        />
      </div>
    </FormSection>
  );
}

function Thinking() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.model.thinking')}
      holds={{ 'thinking.enabled': 'switch' }}
      fields={['thinking']}
    >
      <SwitchField path="thinking.enabled" label={t('adminConfig.model.thinks')} />
      <div className={classes.pair}>
        <ChoiceField
          path="thinking.effort"
          label={t('adminConfig.model.effort')}
          description={t('adminConfig.model.effortAbout')}
          choices={efforts.map(({ value, label }) => ({ value, label: t(label) }))}
          nothing={t('adminConfig.model.effortDefault')}
        />
        <NumberField
          path="thinking.budget"
          label={t('adminConfig.model.budget')}
          description={t('adminConfig.model.budgetAbout')}
        />
      </div>
    </FormSection>
  );
}

function Prices() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.model.prices')}
      description={t('adminConfig.model.pricesAbout')}
      holds={{ 'prices.currency': 'text' }}
      fields={['prices']}
    >
      <div className={classes.pair}>
        <NumberField
          path="prices.input"
          label={t('adminConfig.model.priceInput')}
          decimals={priceDecimals}
        />
        <NumberField
          path="prices.output"
          label={t('adminConfig.model.priceOutput')}
          decimals={priceDecimals}
        />
        <NumberField
          path="prices.cachedInput"
          label={t('adminConfig.model.priceCached')}
          description={t('adminConfig.model.priceCachedAbout')}
          decimals={priceDecimals}
        />
        <NumberField
          path="prices.cacheWrite"
          label={t('adminConfig.model.priceWritten')}
          description={t('adminConfig.model.priceWrittenAbout')}
          decimals={priceDecimals}
        />
      </div>
      <TextField
        path="prices.currency"
        label={t('adminConfig.model.currency')}
        description={t('adminConfig.model.currencyAbout')}
        isCode
      />
    </FormSection>
  );
}

const priceDecimals = 4;

const efforts = [
  { value: 'minimal', label: 'adminConfig.model.effortMinimal' },
  { value: 'low', label: 'adminConfig.model.effortLow' },
  { value: 'medium', label: 'adminConfig.model.effortMedium' },
  { value: 'high', label: 'adminConfig.model.effortHigh' },
] as const;
