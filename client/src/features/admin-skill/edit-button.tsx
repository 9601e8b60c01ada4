import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Button, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { skillFilePath } from './skill-path.ts';

/** Links to the instructions in the editor; explains why a read-only skill cannot be edited. */
export function EditButton({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const id = useId();
  const { name, writable, location } = skill;
  const icon = <IconPencil size={16} aria-hidden />;
  if (writable) {
    return (
      <Button component={Link} to={skillFilePath(name, 'SKILL.md')} leftSection={icon}>
        {t('skillPage.edit')}
      </Button>
    );
  }
  const reason = t('skillPage.readOnly', { location });
  return (
    <>
      <Tooltip
        label={reason}
        multiline
        w={280}
        position="bottom-end"
        events={{ hover: true, focus: true, touch: true }}
      >
        {/* Focusable, so that keyboard users can read the reason. */}
        <Button data-disabled aria-disabled aria-describedby={id} leftSection={icon}>
          {t('skillPage.edit')}
        </Button>
      </Tooltip>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  );
}
