import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../../ui/forms/shown-once.tsx';
import type { MadeKey } from './new-api-key.tsx';

interface ShownApiKeyProps {
  made: MadeKey;
  onDone: () => void;
}

/** A new API key, shown only once. */
export function ShownApiKey({ made, onDone }: ShownApiKeyProps) {
  const { t } = useTranslation();
  return (
    <ShownOnce
      label={t('apiKeys.made', { name: made.details.name })}
      text={made.key}
      about={t('apiKeys.once')}
      done={t('apiKeys.copied')}
      onDone={onDone}
    />
  );
}
