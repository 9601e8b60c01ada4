import type { BinnedSkill } from '@knowhow/shared/skills/skill-bin';
import { useTranslation } from 'react-i18next';
import cards from '../../ui/layout/item-cards.module.css';
import { BinBar } from './bin-bar.tsx';
import { BinRow } from './bin-row.tsx';

interface BinListProps {
  items: readonly BinnedSkill[];
  /** Names of the chosen skills. */
  chosen: ReadonlySet<string>;
  isBusy: boolean;
  onChoose: (names: ReadonlySet<string>) => void;
  onRestore: (skills: readonly BinnedSkill[]) => void;
  onRemove: (skills: readonly BinnedSkill[]) => void;
}

/** Deleted skills, and what to do with the chosen ones. */
export function BinList({ items, chosen, isBusy, onChoose, onRestore, onRemove }: BinListProps) {
  const { t } = useTranslation();
  const selected = items.filter(({ name }) => chosen.has(name));

  function choose(skills: readonly BinnedSkill[], areChosen: boolean) {
    const names = new Set(skills.map(({ name }) => name));
    const others = [...chosen].filter((name) => !names.has(name));
    onChoose(new Set(areChosen ? [...others, ...names] : others));
  }

  return (
    <>
      <BinBar
        shown={items.length}
        chosen={selected.length}
        isBusy={isBusy}
        onChooseAll={(areChosen) => choose(items, areChosen)}
        onRestore={() => onRestore(selected)}
        onRemove={() => onRemove(selected)}
      />
      <ul className={cards.list} aria-label={t('skillBin.title')}>
        {items.map((skill) => (
          <BinRow
            key={skill.name}
            skill={skill}
            isChosen={chosen.has(skill.name)}
            isBusy={isBusy}
            onChoose={(isChosen) => choose([skill], isChosen)}
            onRestore={() => onRestore([skill])}
            onRemove={() => onRemove([skill])}
          />
        ))}
      </ul>
    </>
  );
}
