import type { AppColor, AppIconName } from '@knowhow/shared/config/app-look';

/** Labels of the app icons. */
export const iconTexts = {
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
export const colorTexts = {
  teal: 'adminConfig.look.colors.teal',
  blue: 'adminConfig.look.colors.blue',
  violet: 'adminConfig.look.colors.violet',
  pink: 'adminConfig.look.colors.pink',
  red: 'adminConfig.look.colors.red',
  green: 'adminConfig.look.colors.green',
  grey: 'adminConfig.look.colors.grey',
} as const satisfies Record<AppColor, string>;
