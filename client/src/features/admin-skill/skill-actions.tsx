import type { AdminSkillDetail } from '@knowhow/shared/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { Button, Menu, Switch } from '@mantine/core';
import { IconChevronDown, IconCopy, IconDownload, IconMessage } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { addressOf } from '../../api/request.ts';
import { DuplicateDialog } from './duplicate-dialog.tsx';
import { lacksDescription } from './own-description.ts';
import classes from './skill-actions.module.css';
import { useSkillUpdate } from './use-skill-update.ts';

/** What can be done to a skill as a whole. */
export function SkillActions({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [isDuplicating, setDuplicating] = useState(false);
  const { name, status } = skill;
  return (
    <>
      <OnSwitch skill={skill} />
      {status === 'on' && (
        <Button
          component={Link}
          to={`/use/${encodeURIComponent(name)}`}
          variant="default"
          leftSection={<IconMessage size={16} aria-hidden />}
        >
          {t('skillPage.tryInChat')}
        </Button>
      )}
      <ExportMenu name={name} />
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => setDuplicating(true)}
      >
        {t('skillPage.duplicate')}
      </Button>
      <DuplicateDialog name={name} opened={isDuplicating} onClose={() => setDuplicating(false)} />
    </>
  );
}

/** Only what could be offered can be switched. */
function OnSwitch({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const { status, displayName } = skill;
  const isOn = status === 'on';
  return (
    <Switch
      className={classes.switch}
      label={t('skillPage.switchedOn')}
      checked={isOn}
      disabled={status === 'broken' || status === 'shadowed' || lacksDescription(skill)}
      onChange={() =>
        update({
          change: { enabled: !isOn },
          shown: { status: isOn ? 'off' : 'on' },
          done: {
            message: isOn
              ? t('skillPage.nowOff', { name: displayName })
              : t('skillPage.nowOn', { name: displayName }),
            back: () => ({ enabled: isOn }),
          },
        })
      }
    />
  );
}

function ExportMenu({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('skillPage.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, label }) => (
          <Menu.Item
            key={format}
            component="a"
            href={addressOf(adminSkillsApi.export, { params: { name }, query: { format } })}
            download
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const formats = [
  { format: 'zip', label: 'skillPage.exportZip' },
  { format: 'tar.gz', label: 'skillPage.exportTar' },
  { format: 'json', label: 'skillPage.exportJson' },
] as const;
