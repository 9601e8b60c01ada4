import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { NumberInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/layout/section.tsx';
import rowClasses from '../../../ui/layout/switch-row.module.css';
import { SwitchRow } from '../../../ui/layout/switch-row.tsx';
import { DescriptionOverride } from '../overview/description-override.tsx';
import { DisplayName } from '../overview/display-name.tsx';
import { useSkillUpdate } from '../use-skill-update.ts';
import classes from './skill-settings.module.css';

/** Settings of a skill, which override its files. */
export function SkillSettings({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const { global, displayName } = skill;
  return (
    <Section title={t('skillPage.settings')} text={t('skillPage.settingsText')}>
      <div className={classes.box}>
        <DisplayName skill={skill} />
        <DescriptionOverride skill={skill} />
        <SwitchRow
          label={t('skillPage.global')}
          text={t('skillPage.globalText')}
          checked={global}
          onChange={(checked) =>
            update({
              change: { global: checked },
              shown: { global: checked },
              done: {
                message: checked
                  ? t('skillPage.nowGlobal', { name: displayName })
                  : t('skillPage.notGlobal', { name: displayName }),
                back: () => ({ global }),
              },
            })
          }
        />
        <Priority skill={skill} />
        {skill.approval && <Approval skill={skill} approval={skill.approval} />}
      </div>
    </Section>
  );
}

interface ApprovalProps {
  skill: AdminSkillDetail;
  approval: NonNullable<AdminSkillDetail['approval']>;
}

/** Whether the allowed-tools of a remote skill are trusted. */
function Approval({ skill, approval }: ApprovalProps) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const { checksum, displayName: name } = skill;
  const isGiven = approval === 'given';
  return (
    <SwitchRow
      label={t('skillPage.approved')}
      text={approval === 'outdated' ? t('skillPage.approvedOutdated') : t('skillPage.approvedText')}
      checked={isGiven}
      onChange={(checked) =>
        update({
          change: { approved: checked ? checksum : '' },
          shown: { approval: checked ? 'given' : 'none' },
          done: {
            message: checked
              ? t('skillPage.nowApproved', { name })
              : t('skillPage.notApproved', { name }),
            back: () => ({ approved: isGiven ? checksum : '' }),
          },
        })
      }
    />
  );
}

const most = 1000;

function Priority({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const id = useId();
  const { update } = useSkillUpdate(skill);
  const { priority } = skill;
  const [typed, setTyped] = useState<number | string>();

  function save() {
    setTyped(undefined);
    if (typeof typed === 'number' && typed !== priority) {
      update({
        change: { priority: typed },
        shown: { priority: typed },
        done: {
          message: t('skillPage.prioritySaved', { priority: typed }),
          back: () => ({ priority }),
        },
      });
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      save();
    }
    if (event.key === 'Escape') {
      setTyped(undefined);
    }
  }

  return (
    <div className={rowClasses.row}>
      <div className={rowClasses.words}>
        <label className={rowClasses.label} htmlFor={id}>
          {t('skillPage.priority')}
        </label>
        <div id={`${id}-text`} className={rowClasses.text}>
          {t('skillPage.priorityText')}
        </div>
      </div>
      <NumberInput
        id={id}
        className={classes.priority}
        aria-describedby={`${id}-text`}
        value={typed ?? priority}
        onChange={setTyped}
        onBlur={save}
        onKeyDown={onKeyDown}
        allowDecimal={false}
        min={-most}
        max={most}
        clampBehavior="strict"
        hideControls
      />
    </div>
  );
}
