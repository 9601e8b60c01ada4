import type { AdminSkill } from '@knowhow/shared/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { NumberInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useErrorToast } from '../../ui/use-error-toast.ts';
import classes from './app-skill-list.module.css';

/** Changes a skill's priority at once, which holds in every app. */
export function SkillPriority({ skill }: { skill: AdminSkill }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const [value, setValue] = useState<number | string>(skill.priority);

  const change = useMutation({
    mutationFn: (priority: number) =>
      call(adminSkillsApi.update, { params: { name: skill.name }, body: { priority } }),
    onSuccess: ({ name, priority }) => {
      notifications.hide('skill-priority');
      notifications.show({
        id: 'skill-priority',
        message: t('adminConfig.app.prioritySaved', { name, priority }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      return queryClient.invalidateQueries();
    },
    onError: (error) => {
      setValue(skill.priority);
      showError(error);
    },
  });

  function commit() {
    if (typeof value !== 'number') {
      setValue(skill.priority);
    } else if (value !== skill.priority) {
      change.mutate(value);
    }
  }

  return (
    <NumberInput
      className={classes.priority}
      aria-label={t('adminConfig.app.priorityOf', { name: skill.name })}
      leftSection={<span className={classes.priorityLabel}>{t('adminConfig.app.priority')}</span>}
      value={value}
      min={-1000}
      max={1000}
      allowDecimal={false}
      hideControls
      size="xs"
      onChange={setValue}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
