import { type AdminSkillDetail, maxDisplayNameLength } from '@knowhow/shared/skills/admin-skill';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { type KeyboardEvent, type SubmitEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import rowClasses from '../../../ui/layout/switch-row.module.css';
import { SwitchRow } from '../../../ui/layout/switch-row.tsx';
import { ReviewDate } from '../../../ui/review-date.tsx';
import { useRight } from '../../../ui/rights.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useAutosize } from '../../../ui/use-autosize.ts';
import { ownDescription } from '../overview/own-description.ts';
import { useSkillUpdate } from '../use-skill-update.ts';
import { SkillDeprecation } from './skill-deprecation.tsx';
import { SkillOwner } from './skill-owner.tsx';
import classes from './skill-settings.module.css';

/** Settings of a skill, which override its files. */
export function SkillSettings({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const mayChange = useRight('skills');
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
        <Discoverable skill={skill} />
        <Priority skill={skill} />
        {mayChange && <SkillOwner skill={skill} />}
        {mayChange && (
          <div className={classes.review}>
            <ReviewDate skill={skill} />
          </div>
        )}
        {mayChange && <SkillDeprecation skill={skill} />}
        {skill.approval && <Approval skill={skill} approval={skill.approval} />}
      </div>
    </Section>
  );
}

/** Whether users without access can find the skill in the library. */
function Discoverable({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const { discoverable, displayName: name } = skill;
  return (
    <SwitchRow
      label={t('skillPage.discoverable')}
      text={t('skillPage.discoverableText')}
      checked={discoverable}
      onChange={(checked) =>
        update({
          change: { discoverable: checked },
          shown: { discoverable: checked },
          done: {
            message: checked
              ? t('skillPage.nowDiscoverable', { name })
              : t('skillPage.notDiscoverable', { name }),
            back: () => ({ discoverable }),
          },
        })
      }
    />
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

/** An override of the display name in the file. */
function DisplayName({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update, isPending } = useSkillUpdate(skill);
  const { displayName: shown, ownDisplayName: own } = skill;
  const saved = skill.overrides.displayName ?? '';
  const [typed, setTyped] = useState<string>();
  const text = typed ?? shown;

  function save(displayName: string) {
    setTyped(undefined);
    const { displayName: _old, ...others } = skill.overrides;
    update({
      change: { overrides: { displayName } },
      shown: {
        overrides: displayName === '' ? others : { ...others, displayName },
        displayName: displayName || own,
      },
      done: {
        message: displayName === '' ? t('skillPage.nameReset') : t('skillPage.nameSaved'),
        back: () => ({ overrides: { displayName: saved } }),
      },
    });
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const wanted = text.trim();
    // The same name as in the file is not an override.
    save(wanted === own ? '' : wanted);
  }

  return (
    <form className={classes.description} onSubmit={onSubmit}>
      <TextInput
        label={t('skillPage.displayName')}
        description={t('skillPage.displayNameHint', { name: skill.name })}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={maxDisplayNameLength}
        autoComplete="off"
      />
      <div className={classes.underField}>
        {saved !== '' && typed === undefined && (
          <Button variant="subtle" color="gray" size="xs" onClick={() => save('')}>
            {t('skillPage.resetDescription')}
          </Button>
        )}
        {typed !== undefined && typed.trim() !== shown && (
          <>
            <Button variant="subtle" color="gray" size="xs" onClick={() => setTyped(undefined)}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="xs" loading={isPending} disabled={typed.trim() === ''}>
              {t('skillPage.save')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

/** Longer descriptions are truncated in the catalogue. */
const longest = 1024;

/** An override of the description in the file. */
function DescriptionOverride({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { update, isPending } = useSkillUpdate(skill);
  const saved = skill.overrides.description ?? '';
  const [typed, setTyped] = useState<string>();
  const own = ownDescription(skill);
  const text = typed ?? (saved || own);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field, text);
  const length = [...text.trim()].length;

  function save(description: string) {
    setTyped(undefined);
    const { description: _old, ...others } = skill.overrides;
    update({
      change: { overrides: { description } },
      shown: {
        overrides: description === '' ? others : { ...others, description },
        description: description || skill.ownDescription,
      },
      done: {
        message:
          description === '' ? t('skillPage.descriptionReset') : t('skillPage.descriptionSaved'),
        back: () => ({ overrides: { description: saved } }),
      },
    });
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    // The same text as in the file is not an override.
    save(text.trim() === own ? '' : text.trim());
  }

  return (
    <form className={classes.description} onSubmit={onSubmit}>
      <LimitedTextarea
        label={t('skillPage.description')}
        description={t('skillPage.descriptionHint')}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        ref={field}
        rows={3}
        maxLength={4000}
      />
      <div className={classes.underField}>
        <span className={classes.counter} data-over={length > longest || undefined}>
          {length > longest
            ? t('skillPage.tooLong', { length: number(length), longest: number(longest) })
            : t('skillPage.counter', { length: number(length), longest: number(longest) })}
        </span>
        {saved !== '' && typed === undefined && (
          <Button variant="subtle" color="gray" size="xs" onClick={() => save('')}>
            {t('skillPage.resetDescription')}
          </Button>
        )}
        {typed !== undefined && typed.trim() !== (saved || own) && (
          <>
            <Button variant="subtle" color="gray" size="xs" onClick={() => setTyped(undefined)}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="xs" loading={isPending}>
              {t('skillPage.save')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
