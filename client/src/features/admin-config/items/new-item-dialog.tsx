import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { itemIdSchema } from '@knowhow/shared/config/item-id';
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import classes from '../fields.module.css';
import { kindTexts, newConfigs } from './config-kind.ts';
import { slugify } from './slugify.ts';
import { usePutItem } from './use-put-item.ts';

interface NewItemFormProps {
  kind: ConfigKind;
  taken: ConfigItem[];
  onClose: () => void;
}

interface NewItemDialogProps extends NewItemFormProps {
  opened: boolean;
}

/** Asks for name and ID, creates the item and opens it. */
export function NewItemDialog({ opened, ...rest }: NewItemDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={rest.onClose}
      title={t(kindTexts[rest.kind].newItem)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <NewItemForm {...rest} />
    </Modal>
  );
}

function NewItemForm({ kind, taken, onClose }: NewItemFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const put = usePutItem(kind);
  const [name, setName] = useState('');
  const [typedId, setTypedId] = useState<string>();
  const id = typedId ?? slugify(name);
  const isTaken = taken.some((item) => item.id.toLowerCase() === id.toLowerCase());
  const isValid = itemIdSchema.safeParse(id).success;
  const invalid = id !== '' && !isValid && t('adminConfig.new.invalid');
  const fault = isTaken ? t('adminConfig.new.taken', { id }) : invalid;

  const creation = useMutation({
    mutationFn: () => put({ id, config: { id, name: name.trim(), ...newConfigs[kind](id) } }),
    onSuccess: () => navigate(`/admin/${kind}/${encodeURIComponent(id)}`),
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (isValid && !isTaken) {
      creation.mutate();
    }
  }

  return (
    <form className={classes.dialog} onSubmit={onSubmit}>
      <p className={classes.dialogText}>{t(kindTexts[kind].newAbout)}</p>
      <TextInput
        label={t('adminConfig.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={t('adminConfig.new.id')}
        description={t('adminConfig.new.idAbout')}
        error={fault}
        classNames={{ input: classes.code }}
        value={id}
        onChange={(event) => setTypedId(event.currentTarget.value)}
        required
        withAsterisk={false}
        maxLength={100}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
      />
      {creation.error && <ErrorNote error={creation.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={creation.isPending} disabled={isTaken || !isValid}>
          {t('adminConfig.new.create')}
        </Button>
      </Group>
    </form>
  );
}
