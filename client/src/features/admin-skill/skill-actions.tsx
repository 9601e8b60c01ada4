import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Button, Menu, Switch, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconChevronDown,
  IconCopy,
  IconDots,
  IconDownload,
  IconFileImport,
  IconMessage,
  IconPencil,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IconButton } from '../../ui/icon-button.tsx';
import { lacksDescription } from './overview/own-description.ts';
import { DuplicateDialog } from './settings/duplicate-dialog.tsx';
import { ExportItems } from './settings/export-items.tsx';
import classes from './skill-actions.module.css';
import { skillFilePath } from './skill-path.ts';
import { useSkillUpdate } from './use-skill-update.ts';

interface SkillActionsProps {
  skill: AdminSkillDetail;
  /** Opens the import that replaces this skill. */
  onImport: () => void;
}

/** Actions on the whole skill; editing comes first. */
export function SkillActions({ skill, onImport }: SkillActionsProps) {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [isDuplicating, setDuplicating] = useState(false);
  const { name, status, writable } = skill;
  const Others = isPhone ? OthersMenu : OtherButtons;
  return (
    <>
      <OnSwitch skill={skill} />
      <Others
        name={name}
        isOn={status === 'on'}
        onDuplicate={() => setDuplicating(true)}
        onImport={writable ? onImport : undefined}
      />
      <EditButton skill={skill} />
      <DuplicateDialog name={name} opened={isDuplicating} onClose={() => setDuplicating(false)} />
    </>
  );
}

interface OthersProps {
  name: string;
  isOn: boolean;
  onDuplicate: () => void;
  /** Absent if the skill is in a read-only source, which an import cannot replace. */
  onImport: (() => void) | undefined;
}

function OtherButtons({ name, isOn, onDuplicate, onImport }: OthersProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={onDuplicate}
      >
        {t('skillPage.duplicate')}
      </Button>
      {onImport && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFileImport size={16} aria-hidden />}
          onClick={onImport}
        >
          {t('skillList.import')}
        </Button>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('skillPage.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ExportItems name={name} />
        </Menu.Dropdown>
      </Menu>
      {isOn && (
        <Button
          component={Link}
          to={`/use/${encodeURIComponent(name)}`}
          variant="default"
          leftSection={<IconMessage size={16} aria-hidden />}
        >
          {t('skillPage.tryInChat')}
        </Button>
      )}
    </>
  );
}

/** The same for small screens. */
function OthersMenu({ name, isOn, onDuplicate, onImport }: OthersProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconButton
          className={classes.others}
          label={t('skillPage.otherActions')}
          icon={<IconDots size={20} />}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {isOn && (
          <Menu.Item component={Link} to={`/use/${encodeURIComponent(name)}`}>
            {t('skillPage.tryInChat')}
          </Menu.Item>
        )}
        <Menu.Item onClick={onDuplicate}>{t('skillPage.duplicate')}</Menu.Item>
        {onImport && <Menu.Item onClick={onImport}>{t('skillList.import')}</Menu.Item>}
        <Menu.Divider />
        <Menu.Label>{t('skillPage.export')}</Menu.Label>
        <ExportItems name={name} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Only available skills can be switched. */
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
      disabled={!['on', 'off'].includes(status) || lacksDescription(skill)}
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

/** Links to the instructions in the editor; explains why a read-only skill cannot be edited. */
function EditButton({ skill }: { skill: AdminSkillDetail }) {
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
