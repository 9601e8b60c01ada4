import { useTranslation } from 'react-i18next';
import { MakeDialog } from '../../ui/forms/make-dialog.tsx';
import { type CreatedInvitation, InviteForm } from './invite-form.tsx';

interface InviteDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Creates an invitation link and shows it once. */
export function InviteDialog(props: InviteDialogProps) {
  const { t } = useTranslation();
  return (
    <MakeDialog<CreatedInvitation>
      {...props}
      title={t('adminUsers.invite')}
      form={(onMade, onCancel) => <InviteForm onMade={onMade} onCancel={onCancel} />}
      shown={({ path, details: { note: name } }) => ({
        ...{ label: t('adminUsers.inviteLink', { name }), text: location.origin + path },
        ...{ about: t('adminUsers.inviteOnce'), done: t('adminUsers.done') },
      })}
    />
  );
}
