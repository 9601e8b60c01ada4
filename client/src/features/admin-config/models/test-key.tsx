import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useErrorText } from '../../../ui/text/use-error-text.ts';

/** Sends a test request with the key and shows the result. */
export function TestKey({ model: id }: { model: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const test = useMutation({ mutationFn: () => call(adminModelsApi.test, { params: { id } }) });
  const { works, milliseconds, message } = test.data ?? {};
  return (
    <>
      <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
        {t('providerKeys.testWith', { model: id })}
      </Button>
      <span role="status">
        {works === true && ` ${t('providerKeys.works', { count: milliseconds })}`}
        {works === false && ` ${message}`}
        {test.error && ` ${errorText(test.error).title}`}
      </span>
    </>
  );
}
