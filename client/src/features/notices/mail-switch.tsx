import { authApi } from '@knowhow/shared/access/auth';
import { mailApi } from '@knowhow/shared/access/mail';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';

const setting = query(mailApi.get, {});

/** Whether the user gets e-mail about their inbox and reviews; nothing if the server sends none. */
export function MailSwitch() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const hasMail = useQuery(query(authApi.me, {})).data?.hasMail === true;
  const { data, error, refetch } = useQuery({ ...setting, enabled: hasMail });
  const save = useMutation({
    mutationFn: (isOn: boolean) => call(mailApi.set, { body: { isOn } }),
    onSuccess: (saved) => queryClient.setQueryData(setting.queryKey, saved),
  });
  if (error) {
    return <ErrorNote error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return null;
  }
  const { address, isOn } = data;
  return (
    <>
      <SwitchRow
        label={t('notices.mail')}
        text={address ? t('notices.mailAbout', { address }) : t('notices.mailNoAddress')}
        checked={address !== undefined && (save.isPending ? save.variables : isOn)}
        disabled={address === undefined}
        onChange={(wanted) => save.mutate(wanted)}
      />
      {save.error && <ErrorNote error={save.error} />}
    </>
  );
}
