import { Problem } from '@knowhow/shared/problem';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';

interface WriteErrorProps {
  error: unknown;
  /** Called when what is there now has been loaded. */
  onReloaded: () => void;
}

/** Why something could not be written. When somebody else was quicker, their state can be loaded. */
export function WriteError({ error, onReloaded }: WriteErrorProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isOutdated = error instanceof Problem && error.code === 'changed-meanwhile';
  return (
    <ErrorNote error={error}>
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
