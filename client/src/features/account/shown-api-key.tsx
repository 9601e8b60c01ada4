import { useTranslation } from 'react-i18next';
import { OneTimeSecret } from '../../ui/forms/shown-once.tsx';
import type { CreatedApiKey } from './new-api-key.tsx';

interface ShownApiKeyProps {
  made: CreatedApiKey;
  onDone: () => void;
}

/** A new API key, shown only once. */
export function ShownApiKey({ made, onDone }: ShownApiKeyProps) {
  const { t } = useTranslation();
  return (
    <OneTimeSecret
      label={t('apiKeys.made', { name: made.details.name })}
      text={made.key}
      about={t('apiKeys.once')}
      done={t('apiKeys.copied')}
      onDone={onDone}
    />
  );
}
