import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { useSkillTexts } from '../../../ui/text/use-skill-texts.ts';
import { useDuplicate } from './use-duplicate.ts';

interface DuplicateDialogProps {
  /** Name of the source skill. */
  name: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the name of a copy, and checks it while the user types. */
export function DuplicateDialog({ name, opened, onClose }: DuplicateDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('skillPage.duplicateTitle', { name })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <NameForm name={name} onClose={onClose} />
    </Modal>
  );
}

function NameForm({ name, onClose }: Omit<DuplicateDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { say } = useSkillTexts();
  const [typed, setTyped] = useState(`${name}-copy`);
  const [asked] = useDebouncedValue(typed.trim(), 200);
  const check = useQuery({
    ...query(adminSkillsApi.checkName, { query: { name: asked } }),
    enabled: asked !== '',
  });
  const duplicate = useDuplicate(name);
  const answer = asked === typed.trim() ? check.data : undefined;

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (answer?.free) {
      duplicate.mutate(answer.name, { onSuccess: onClose });
    }
  }

  return (
    <form onSubmit={onSubmit}>
      <TextInput
        label={t('skillPage.newName')}
        description={
          answer?.free && !answer.valid
            ? t('skillPage.willBeNamed', { name: answer.name })
            : t('skillPage.newNameHint')
        }
        error={answer?.free === false && say({ message: t('problem.nameTaken'), ...answer })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={300}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        mb="md"
        data-autofocus
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={duplicate.isPending} disabled={!answer?.free}>
          {t('skillPage.duplicate')}
        </Button>
      </Group>
    </form>
  );
}
