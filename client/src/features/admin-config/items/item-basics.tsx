import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { LocalizedField } from '../localized-field.tsx';
import { NumberField } from '../number-field.tsx';
import { SwitchField } from '../switch-field.tsx';
import classes from './item-page.module.css';

interface ItemBasicsProps {
  title: string;
  /** The effect of disabling the item. */
  enabledAbout: string;
  /** A field before the position in lists. */
  children?: ReactNode;
}

/** Name, description, position and visibility of an app or a prompt. */
export function ItemBasics({ title, enabledAbout, children }: ItemBasicsProps) {
  const { t } = useTranslation();
  return (
    <FormSection
      title={title}
      holds={{ name: 'languages' }}
      fields={['enabled', 'description', 'order', 'category']}
    >
      <SwitchField path="enabled" label={t('adminConfig.enabled')} description={enabledAbout} />
      <LocalizedField path="name" label={t('adminConfig.name')} />
      <LocalizedField path="description" label={t('adminConfig.description')} rows={1} />
      <div className={classes.triple}>
        {children}
        <NumberField
          path="order"
          label={t('adminConfig.order')}
          placeholder={t('adminConfig.orderLast')}
        />
      </div>
    </FormSection>
  );
}
