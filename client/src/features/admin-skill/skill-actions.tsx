import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Button, Group, Menu, Modal, Switch, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import {
  IconChevronDown,
  IconCopy,
  IconDots,
  IconDownload,
  IconFileImport,
  IconMessage,
  IconPencil,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { buildUrl } from '../../api/request.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useRight, useSkillRight } from '../../ui/rights.ts';
import { useSkillTexts } from '../../ui/text/use-skill-texts.ts';
import { usePublishing } from '../../ui/use-publishing.ts';
import { lacksDescription } from './overview/own-description.ts';
import { useDuplicate } from './settings/use-duplicate.ts';
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
  const { mayPublish } = usePublishing(skill.category);
  const isManager = useRight('skills');
  const mayWrite = useSkillRight('author', skill.category);
  const Others = isPhone ? OthersMenu : OtherButtons;
  return (
    <>
      {isManager && <OnSwitch skill={skill} />}
      <Others
        name={name}
        isOn={status === 'on'}
        mayExport={isManager}
        onDuplicate={mayPublish ? () => setDuplicating(true) : undefined}
        onImport={writable && mayPublish ? onImport : undefined}
      />
      {mayWrite && <EditButton skill={skill} />}
      <DuplicateDialog name={name} opened={isDuplicating} onClose={() => setDuplicating(false)} />
    </>
  );
}

interface OthersProps {
  name: string;
  isOn: boolean;
  mayExport: boolean;
  /** Absent if the user's changes need a review. */
  onDuplicate: (() => void) | undefined;
  /** Likewise, and absent if the skill is in a read-only source, which an import cannot replace. */
  onImport: (() => void) | undefined;
}

function OtherButtons({ name, isOn, mayExport, onDuplicate, onImport }: OthersProps) {
  const { t } = useTranslation();
  return (
    <>
      {onDuplicate && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={onDuplicate}
        >
          {t('skillPage.duplicate')}
        </Button>
      )}
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
      {mayExport && (
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
      )}
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
function OthersMenu({ name, isOn, mayExport, onDuplicate, onImport }: OthersProps) {
  const { t } = useTranslation();
  if (!isOn && !mayExport) {
    return null;
  }
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
        {onDuplicate && <Menu.Item onClick={onDuplicate}>{t('skillPage.duplicate')}</Menu.Item>}
        {onImport && <Menu.Item onClick={onImport}>{t('skillList.import')}</Menu.Item>}
        {mayExport && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('skillPage.export')}</Menu.Label>
            <ExportItems name={name} />
          </>
        )}
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

/** Menu items that download a skill, one per format. */
function ExportItems({ name }: { name: string }) {
  const { t } = useTranslation();
  return formats.map(({ format, label }) => (
    <Menu.Item
      key={format}
      component="a"
      href={buildUrl(adminSkillsApi.export, { params: { name }, query: { format } })}
      download
    >
      {t(label)}
    </Menu.Item>
  ));
}

const formats = [
  { format: 'zip', label: 'skillPage.exportZip' },
  { format: 'tar.gz', label: 'skillPage.exportTar' },
  { format: 'json', label: 'skillPage.exportJson' },
] as const;

interface DuplicateDialogProps {
  /** Name of the source skill. */
  name: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the name of a copy, and checks it while the user types. */
function DuplicateDialog({ name, opened, onClose }: DuplicateDialogProps) {
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
