import { Problem } from '@knowhow/shared/problem';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';

interface WriteErrorProps {
  error: unknown;
  /** Called when the current version has been loaded. */
  onReloaded: () => void;
}

/** A write error. After a conflict, the current version can be loaded. */
export function WriteError({ error, onReloaded }: WriteErrorProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isOutdated = error instanceof Problem && error.code === 'changed-meanwhile';
  // The title and the button say what the server's message says.
  const shown = isOutdated ? { code: error.code, message: '' } : error;
  return (
    <ErrorNote error={shown}>
      {isOutdated && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => refreshSkills(queryClient).then(onReloaded)}
        >
          {t('skillPage.reload')}
        </Button>
      )}
    </ErrorNote>
  );
}
