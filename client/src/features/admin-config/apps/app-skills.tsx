import { listedName, listPins } from '@knowhow/shared/config/app-config';
import { Select } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
  IconX,
} from '@tabler/icons-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChoiceField } from '../choice-field.tsx';
import { FormSection } from '../form-section.tsx';
import { GrantField } from '../groups/grant-field.tsx';
import { InheritedSkills } from '../groups/inherited-skills.tsx';
import { asList, asTexts } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';
import classes from '../items/item-page.module.css';
import { NumberField } from '../number-field.tsx';
import { SwitchField } from '../switch-field.tsx';
import { useDragOrder } from '../use-drag-order.ts';
import { useAutoInject, useExcluded } from '../use-name-list.ts';
import listClasses from './app-skill-list.module.css';
import { AppSkillText } from './app-skill-text.tsx';
import { InjectSwitch } from './inject-switch.tsx';
import { SkillVersion } from './skill-version.tsx';
import { useAllSkillNames } from './use-all-skill-names.ts';
import { useSkillSearch } from './use-skill-search.ts';
import { useSkillsByName } from './use-skills-by-name.ts';

/** The skills of an app, and how it uses them. */
export function AppSkills() {
  const { t } = useTranslation();
  const { item } = useDraft();
  const { value, set } = useField('skills');
  const autoInject = useAutoInject();
  const excluded = useExcluded();
  const readAll = useAllSkillNames();
  const isAll = asTexts(value).includes('*');
  const pins = listPins(value);
  const listed = asList(value).flatMap((entry) => listedName(entry) ?? []);
  const own = [...new Set(listed)].filter((name) => name !== '*');
  const setOwn = (names: string[], versions = pins) => {
    const entries = names.map((name) => {
      const version = versions.get(name);
      return version === undefined ? name : { name, version };
    });
    set(isAll ? ['*', ...entries] : entries);
  };

  return (
    <FormSection
      title={t('adminConfig.app.skills')}
      description={t('adminConfig.app.skillsAbout')}
      holds={{ skills: 'skills' }}
      fields={['skillSettings']}
    >
      <GrantField
        path="skills"
        allLabel={t('adminConfig.app.allSkills')}
        readAll={async () => (await readAll()).filter((name) => !excluded.has(name))}
      />
      {isAll && <p className={listClasses.note}>{t('adminConfig.app.firstAbout')}</p>}
      <AttachSkill attached={own} onAttach={(name) => setOwn([...own, name])} />
      {own.length > 0 && (
        <AppSkillList
          names={own}
          pins={pins}
          onOrder={setOwn}
          onPin={(name, version) => setOwn(own, withPin(pins, name, version))}
          onRemove={(name) => {
            setOwn(own.filter((other) => other !== name));
            autoInject.set(name, false);
          }}
        />
      )}
      {own.length === 0 && !isAll && (
        <p className={listClasses.note}>{t('adminConfig.app.noSkills')}</p>
      )}
      <InheritedSkills
        app={item.id}
        own={own}
        isAll={isAll}
        onPin={(name) => setOwn([...own, name])}
      />
      <ExcludedSkills own={own} />
      <div className={classes.pair}>
        <NumberField
          path="skillSettings.maxActiveSkills"
          label={t('adminConfig.app.maxActive')}
          description={t('adminConfig.app.maxActiveAbout')}
          placeholder={t('adminConfig.app.maxActiveDefault')}
        />
      </div>
      <SkillPresentation />
    </FormSection>
  );
}

function withPin(
  pins: ReadonlyMap<string, number>,
  name: string,
  version: number | undefined,
): ReadonlyMap<string, number> {
  const others = [...pins].filter(([other]) => other !== name);
  return new Map(version === undefined ? others : [...others, [name, version]]);
}

/** How models discover skills. */
function SkillPresentation() {
  const { t } = useTranslation();
  return (
    <>
      <SwitchField
        path="skillSettings.allowUserSelection"
        label={t('adminConfig.app.userSelection')}
        description={t('adminConfig.app.userSelectionAbout')}
      />
      <SwitchField
        path="skillSettings.autoActivate"
        label={t('adminConfig.app.autoActivate')}
        description={t('adminConfig.app.autoActivateAbout')}
      />
      <SwitchField
        path="skillSettings.catalog"
        label={t('adminConfig.app.catalog')}
        description={t('adminConfig.app.catalogAbout')}
      />
      <ChoiceField
        path="skillSettings.discoveryMode"
        label={t('adminConfig.app.discovery')}
        description={t('adminConfig.app.discoveryAbout')}
        choices={[
          { value: 'auto', label: t('adminConfig.app.discoveryAuto') },
          { value: 'catalog', label: t('adminConfig.app.discoveryCatalog') },
          { value: 'search', label: t('adminConfig.app.discoverySearch') },
        ]}
      />
      <ChoiceField
        path="skillSettings.router"
        label={t('adminConfig.app.router')}
        description={t('adminConfig.app.routerAbout')}
        choices={[
          { value: 'auto', label: t('adminConfig.app.routerAuto') },
          { value: 'always', label: t('adminConfig.app.routerAlways') },
          { value: 'off', label: t('adminConfig.app.routerOff') },
        ]}
      />
      <SwitchField
        path="skillSettings.showSource"
        label={t('adminConfig.app.showSource')}
        description={t('adminConfig.app.showSourceAbout')}
      />
    </>
  );
}

interface AttachSkillProps {
  attached: string[];
  onAttach: (name: string) => void;
}

function AttachSkill({ attached, onAttach }: AttachSkillProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const found = useSkillSearch(search).filter(({ name }) => !attached.includes(name));
  return (
    <Select
      label={t('adminConfig.app.attach')}
      placeholder={t('adminConfig.skills.search')}
      value={null}
      data={found.map(({ name }) => name)}
      renderOption={({ option }) => {
        const skill = found.find(({ name }) => name === option.value);
        return (
          <span className={classes.option}>
            <span>{option.label}</span>
            <span className={classes.optionAbout}>{skill?.description}</span>
          </span>
        );
      }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      nothingFoundMessage={t('adminConfig.ids.nothing')}
      onChange={(name) => {
        if (name !== null) {
          onAttach(name);
          setSearch('');
        }
      }}
    />
  );
}

/** More would freeze the page. */
const mostListed = 500;

interface AppSkillListProps {
  names: string[];
  /** Pinned versions by skill. */
  pins: ReadonlyMap<string, number>;
  /** Pins a skill to a version; without a version, follows the published one. */
  onPin: (name: string, version: number | undefined) => void;
  onOrder: (names: string[]) => void;
  onRemove: (name: string) => void;
}

/** The skills that an app lists, in order; reordered by dragging or with the arrows. */
function AppSkillList({ names, pins, onPin, onOrder, onRemove }: AppSkillListProps) {
  const { t } = useTranslation();
  const entries = useSkillsByName(names.slice(0, mostListed));

  function move(name: string, to: number) {
    const others = names.filter((other) => other !== name);
    onOrder(others.toSpliced(to, 0, name));
  }

  const dragOf = useDragOrder(move);

  /** The button moves along and keeps the focus; at an end, its neighbour gets it. */
  function step(name: string, to: number, button: HTMLElement) {
    flushSync(() => move(name, to));
    const usable = button.parentElement?.querySelector<HTMLElement>('button:enabled');
    (button.matches(':disabled') ? usable : button)?.focus();
  }

  return (
    <>
      <ul className={listClasses.list} aria-label={t('adminConfig.app.attached')}>
        {entries.map(({ name, skill, isMissing }, index) => (
          <li key={name} {...dragOf(name, index)}>
            <IconGripVertical className={listClasses.grip} size={16} aria-hidden />
            <AppSkillText name={name} skill={skill} isMissing={isMissing}>
              {!isMissing && (
                <SkillVersion
                  name={name}
                  version={pins.get(name)}
                  onChange={(version) => onPin(name, version)}
                />
              )}
            </AppSkillText>
            <div className={listClasses.controls}>
              <InjectSwitch name={name} />
              <IconButton
                label={t('adminConfig.list.up', { name })}
                icon={<IconArrowUp size={16} />}
                disabled={index === 0}
                onClick={(event) => step(name, index - 1, event.currentTarget)}
              />
              <IconButton
                label={t('adminConfig.list.down', { name })}
                icon={<IconArrowDown size={16} />}
                disabled={index === entries.length - 1}
                onClick={(event) => step(name, index + 1, event.currentTarget)}
              />
              <IconButton
                label={t('adminConfig.app.detach', { name })}
                icon={<IconX size={16} />}
                onClick={() => onRemove(name)}
              />
            </div>
          </li>
        ))}
      </ul>
      {names.length > mostListed && (
        <p className={listClasses.note}>
          {t('adminConfig.skills.more', { count: names.length - mostListed })}
        </p>
      )}
      <p className={listClasses.note}>
        {t('adminConfig.app.ownAbout')} {t('adminConfig.app.injectAbout')}
      </p>
    </>
  );
}

/** Inherited skills that the app excludes, each with a button to include it again. */
function ExcludedSkills({ own }: { own: string[] }) {
  const { t } = useTranslation();
  const excluded = useExcluded();
  const entries = useSkillsByName(excluded.names.filter((name) => !own.includes(name)));
  if (entries.length === 0) {
    return null;
  }
  return (
    <div>
      <h3 className={listClasses.heading} id="excluded-skills">
        {t('adminConfig.app.excluded')}
      </h3>
      <p className={listClasses.note}>{t('adminConfig.app.excludedAbout')}</p>
      <ul className={listClasses.list} aria-labelledby="excluded-skills">
        {entries.map(({ name, skill, isMissing }) => (
          <li key={name}>
            <AppSkillText name={name} skill={skill} isMissing={isMissing} />
            <div className={listClasses.controls}>
              <IconButton
                label={t('adminConfig.app.include', { name })}
                icon={<IconArrowBackUp size={16} />}
                onClick={() => excluded.set(name, false)}
              />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
