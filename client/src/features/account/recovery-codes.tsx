import { useTranslation } from 'react-i18next';
import { OneTimeSecret } from '../../ui/forms/shown-once.tsx';

/** Recovery codes, shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <OneTimeSecret
      label={t('secondFactor.recoveryCodes')}
      text={codes.join('\n')}
      about={t('secondFactor.recoveryAbout')}
      done={t('apiKeys.copied')}
      onDone={onDone}
    />
  );
}
