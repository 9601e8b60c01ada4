import {
  type AppColor,
  type AppIconName,
  appColors,
  appIcons,
  getAppLook,
  isIconName,
} from '@knowhow/shared/config/app-look';
import { TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { AppIcon } from '../../../ui/app-icon.tsx';
import { FormSection } from '../form-section.tsx';
import { asLocalized, asText } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import classes from './app-look-fields.module.css';

/** Icon and colour of an app, with a preview. */
export function AppLookFields() {
  const { t } = useTranslation();
  const localize = useLocalize();
  const icon = useField('icon');
  const color = useField('color');
  const name = localize(asLocalized(useField('name').value));
  const written = asText(icon.value) ?? '';
  const look = getAppLook({ icon: written, color: asText(color.value) });
  const isOdd = written !== '' && look.icon === undefined;
  return (
    <FormSection
      title={t('adminConfig.look.title')}
      description={t('adminConfig.look.about')}
      fields={['icon', 'color']}
    >
      <p className={classes.preview}>
        <span className={classes.about}>{t('adminConfig.look.preview')}</span>
        <AppIcon {...look} />
        {name}
      </p>
      <Tiles<AppIconName>
        legend={t('adminConfig.look.icon')}
        values={appIcons}
        chosen={written === '' ? '' : isIconName(written) ? written : undefined}
        labelOf={(each) => (each ? t(iconTexts[each]) : t('adminConfig.look.none'))}
        render={(each) => <AppIcon icon={each} color={look.color} size={30} />}
        onChoose={icon.set}
      />
      <TextInput
        className={classes.emoji}
        label={t('adminConfig.look.emoji')}
        description={t('adminConfig.look.emojiAbout')}
        value={isIconName(written) ? '' : written}
        error={icon.error ?? (isOdd && t('adminConfig.look.notEmoji'))}
        autoComplete="off"
        onChange={(event) => icon.set(event.currentTarget.value.trim() || undefined)}
      />
      <Tiles<AppColor>
        legend={t('adminConfig.look.color')}
        values={appColors}
        chosen={look.color ?? ''}
        labelOf={(each) => (each ? t(colorTexts[each]) : t('adminConfig.look.none'))}
        render={(each) => <AppIcon icon={look.icon} color={each} size={30} />}
        onChoose={color.set}
      />
    </FormSection>
  );
}

interface TilesProps<Value extends string> {
  legend: string;
  values: readonly Value[];
  /** Empty for none; undefined for a value that is not among the options. */
  chosen: Value | '' | undefined;
  labelOf: (value: Value | '') => string;
  render: (value: Value) => ReactNode;
  onChoose: (value: Value | undefined) => void;
}

/** Radio buttons with visible options, including none. */
function Tiles<Value extends string>(props: TilesProps<Value>) {
  const { legend, values, chosen, labelOf, render, onChoose } = props;
  const name = useId();
  return (
    <fieldset className={classes.tiles}>
      <legend>{legend}</legend>
      {(['', ...values] as const).map((value) => (
        <label key={value} className={classes.tile} title={labelOf(value)}>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            aria-label={labelOf(value)}
            onChange={() => onChoose(value || undefined)}
          />
          {value === '' ? <span className={classes.none}>{labelOf(value)}</span> : render(value)}
        </label>
      ))}
    </fieldset>
  );
}

/** Labels of the app icons. */
const iconTexts = {
  chat: 'adminConfig.look.icons.chat',
  pencil: 'adminConfig.look.icons.pencil',
  chart: 'adminConfig.look.icons.chart',
  scale: 'adminConfig.look.icons.scale',
  code: 'adminConfig.look.icons.code',
  book: 'adminConfig.look.icons.book',
  briefcase: 'adminConfig.look.icons.briefcase',
  building: 'adminConfig.look.icons.building',
  bulb: 'adminConfig.look.icons.bulb',
  calendar: 'adminConfig.look.icons.calendar',
  headset: 'adminConfig.look.icons.headset',
  heart: 'adminConfig.look.icons.heart',
  language: 'adminConfig.look.icons.language',
  mail: 'adminConfig.look.icons.mail',
  microscope: 'adminConfig.look.icons.microscope',
  palette: 'adminConfig.look.icons.palette',
  plane: 'adminConfig.look.icons.plane',
  receipt: 'adminConfig.look.icons.receipt',
  rocket: 'adminConfig.look.icons.rocket',
  school: 'adminConfig.look.icons.school',
  search: 'adminConfig.look.icons.search',
  shield: 'adminConfig.look.icons.shield',
  cart: 'adminConfig.look.icons.cart',
  megaphone: 'adminConfig.look.icons.megaphone',
  target: 'adminConfig.look.icons.target',
  tools: 'adminConfig.look.icons.tools',
  truck: 'adminConfig.look.icons.truck',
  users: 'adminConfig.look.icons.users',
  world: 'adminConfig.look.icons.world',
} as const satisfies Record<AppIconName, string>;

/** Labels of the app colours. */
const colorTexts = {
  teal: 'adminConfig.look.colors.teal',
  blue: 'adminConfig.look.colors.blue',
  violet: 'adminConfig.look.colors.violet',
  pink: 'adminConfig.look.colors.pink',
  red: 'adminConfig.look.colors.red',
  green: 'adminConfig.look.colors.green',
  grey: 'adminConfig.look.colors.grey',
} as const satisfies Record<AppColor, string>;
