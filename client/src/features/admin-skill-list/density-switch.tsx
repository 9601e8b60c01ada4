import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './density-switch.module.css';

const densities = [
  { value: 'comfortable', Icon: IconBaselineDensityMedium, label: 'skillList.comfortable' },
  { value: 'compact', Icon: IconBaselineDensitySmall, label: 'skillList.compact' },
] as const;
export type Density = (typeof densities)[number]['value'];

/** The stored row density, and a setter. */
export function useDensity() {
  return useLocalStorage<Density>({
    key: 'knowhow-skill-density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
  });
}

interface DensitySwitchProps {
  density: Density;
  onChange: (density: Density) => void;
}

/** Toggles between rows with descriptions and compact rows. */
export function DensitySwitch({ density, onChange }: DensitySwitchProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      className={classes.switch}
      aria-label={t('skillList.density')}
      data={densities.map(({ value, Icon, label }) => ({
        value,
        label: (
          <span className={classes.choice} title={t(label)}>
            <Icon size={17} aria-hidden />
            <VisuallyHidden>{t(label)}</VisuallyHidden>
          </span>
        ),
      }))}
      value={density}
      onChange={(value) => onChange(value === 'compact' ? 'compact' : 'comfortable')}
    />
  );
}
