import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { conversationsApi } from '@knowhow/shared/conversations';
import { maxQueryLength } from '@knowhow/shared/list';
import { skillsApi } from '@knowhow/shared/skills';
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessage, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { Bolt } from '../../ui/bolt.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import type { Command } from './command.ts';
import classes from './command-dialog.module.css';

interface CommandDialogProps {
  commands: Command[];
  /** What it searches for at first. */
  wanted: string;
  onClose: () => void;
  onOpenConversation: (id: string) => void;
  onUseSkill: (name: string) => void;
  /** What only an admin finds. */
  administration: { pages: Command[]; onOpenSkill: (name: string) => void } | undefined;
}

interface Section {
  title: string;
  commands: Command[];
}

/** A search over everything there is, for the keyboard. */
export function CommandDialog(props: CommandDialogProps) {
  const { commands, onClose, onOpenConversation, onUseSkill, administration } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(props.wanted);
  const [asked] = useDebouncedValue(text.trim(), 200);
  const listId = useId();
  const { conversations, isPending } = useFoundConversations(asked, onOpenConversation);
  const skills = useFoundSkills(asked, onUseSkill);
  const managed = useManagedSkills(asked, administration?.onOpenSkill);
  const wanted = text.trim().toLowerCase();
  const matching = (all: Command[]) =>
    all.filter(({ label }) => label.toLowerCase().includes(wanted));
  const sections = [
    { title: t('commands.commands'), commands: matching(commands) },
    { title: t('account.administration'), commands: matching(administration?.pages ?? []) },
    { title: t('commands.useSkill'), commands: skills },
    { title: t('conversations.label'), commands: conversations },
    { title: t('commands.manageSkill'), commands: managed },
  ].filter(({ commands: found }) => found.length > 0);
  const options = sections.flatMap(({ commands: found }) => found);

  function run(index: number) {
    onClose();
    options[index]?.run();
  }

  const keys = useListKeys({ subject: text, count: options.length, onChoose: run });
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size={560}
      yOffset="12dvh"
      padding={0}
      attributes={{ content: { 'aria-label': t('commands.title') } }}
    >
      <div className={classes.search}>
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-label={t('commands.title')}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${listId}-${keys.active}` : undefined}
          placeholder={t(administration ? 'commands.title' : 'commands.placeholder')}
          value={text}
          maxLength={maxQueryLength}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={keys.onKeyDown}
        />
      </div>
      {options.length === 0 ? (
        <p className={classes.nothing} role="status">
          {isPending ? t('state.loading') : t('commands.nothing')}
        </p>
      ) : (
        <Options
          id={listId}
          sections={sections}
          active={keys.active}
          onActive={keys.setActive}
          onRun={run}
        />
      )}
    </Modal>
  );
}

function useFoundConversations(asked: string, onOpen: (id: string) => void) {
  const { data, isPending } = useQuery({
    ...query(conversationsApi.list, {
      query: asked ? { query: asked, limit: 20 } : { limit: 8 },
    }),
    placeholderData: keepPreviousData,
  });
  const conversations = (data?.items ?? []).map(
    ({ id, title }): Command => ({
      id,
      label: title,
      icon: <IconMessage size={17} aria-hidden />,
      run: () => onOpen(id),
    }),
  );
  return { conversations, isPending };
}

/** The skills this user may choose. */
function useFoundSkills(asked: string, onUse: (name: string) => void): Command[] {
  const { data } = useQuery({
    ...query(skillsApi.list, { query: { query: asked, limit: 8 } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.items ?? []);
  return found
    .filter(({ userInvocable }) => userInvocable)
    .map(({ name }) => ({
      id: `use-${name}`,
      label: name,
      icon: <Bolt size={17} />,
      run: () => onUse(name),
    }));
}

/** All skills, for an admin. */
function useManagedSkills(asked: string, onOpen: ((name: string) => void) | undefined): Command[] {
  const { data } = useQuery({
    ...query(adminSkillsApi.list, { query: { query: asked, limit: 8 } }),
    enabled: onOpen !== undefined && asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.items ?? []);
  return found
    .filter(({ status }) => status !== 'shadowed')
    .map(({ location, name }) => ({
      id: location,
      label: name,
      icon: <Bolt size={17} />,
      run: () => onOpen?.(name),
    }));
}

interface OptionsProps {
  id: string;
  sections: Section[];
  active: number;
  onActive: (index: number) => void;
  onRun: (index: number) => void;
}

function Options({ id, sections, active, onActive, onRun }: OptionsProps): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  let index = -1;

  useEffect(() => {
    const option = list.current?.querySelector(`#${CSS.escape(`${id}-${active}`)}`);
    option?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('commands.results')}
      className={classes.list}
    >
      {sections.map(({ title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: options are grouped by role, not by fieldset
        <div key={title} role="group" aria-label={title}>
          <div role="presentation" className={classes.section}>
            {title}
          </div>
          {commands.map((command) => {
            index += 1;
            const own = index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's, which has the focus
              <div
                key={command.id}
                id={`${id}-${own}`}
                role="option"
                tabIndex={-1}
                aria-selected={own === active}
                className={classes.option}
                onMouseMove={() => onActive(own)}
                onClick={() => onRun(own)}
              >
                {command.icon}
                <span>{command.label}</span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
