import { useTranslation } from 'react-i18next';
import { MakeDialog } from '../../ui/forms/make-dialog.tsx';
import { type CreatedServiceKey, NewKeyForm } from './new-key-form.tsx';

interface NewKeyDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Creates a service API key and shows it once. */
export function NewKeyDialog(props: NewKeyDialogProps) {
  const { t } = useTranslation();
  return (
    <MakeDialog<CreatedServiceKey>
      {...props}
      title={t('adminKeys.new')}
      form={(onMade, onCancel) => <NewKeyForm onMade={onMade} onCancel={onCancel} />}
      shown={({ key, details: { name } }) => ({
        ...{ label: t('adminKeys.made', { name }), text: key },
        ...{ about: t('adminKeys.once'), done: t('adminKeys.copied') },
      })}
    />
  );
}
