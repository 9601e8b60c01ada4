import { z } from 'zod';

/** Icons for apps, besides emoji. */
export const appIcons = [
  ...['chat', 'pencil', 'chart', 'scale', 'code', 'book', 'briefcase', 'building', 'bulb'],
  ...['calendar', 'headset', 'heart', 'language', 'mail', 'microscope', 'palette', 'plane'],
  ...['receipt', 'rocket', 'school', 'search', 'shield', 'cart', 'megaphone', 'target'],
  ...['tools', 'truck', 'users', 'world'],
] as const;
export type AppIconName = (typeof appIcons)[number];

/** Colours for apps, with a light and a dark tone each. Amber is reserved for skills. */
export const appColors = ['teal', 'blue', 'violet', 'pink', 'red', 'green', 'grey'] as const;
export type AppColor = (typeof appColors)[number];

/** Appearance of an app in lists. */
export const appLookSchema = z.object({
  /** One of `appIcons`, or an emoji. */
  icon: z.string().optional(),
  color: z.enum(appColors).optional(),
});
export type AppLook = z.infer<typeof appLookSchema>;

/** From the app's file; unknown values have no effect. */
export function getAppLook({ icon, color }: { icon?: string; color?: string }): AppLook {
  const known = color === undefined ? undefined : colorOf(color);
  return {
    ...(icon !== undefined && (isIconName(icon) || isEmoji(icon)) ? { icon } : {}),
    ...(known ? { color: known } : {}),
  };
}

export function isIconName(icon: string): icon is AppIconName {
  return (appIcons as readonly string[]).includes(icon);
}

/** Whether a text is a single emoji. */
export function isEmoji(text: string): boolean {
  return (
    text.length <= maxEmojiLength &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(text) &&
    [...new Intl.Segmenter().segment(text)].length === 1
  );
}

/** In UTF-16 units: a family of several people. */
const maxEmojiLength = 30;

function colorOf(color: string): AppColor | undefined {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(color) ?? [];
  return red && green && blue
    ? nearestColor([red, green, blue].map((part) => Number.parseInt(part, 16)))
    : appColors.find((each) => each === color);
}

/** Hues in degrees. Files of iHub have any colour, such as #4f46e5. */
const hues: readonly (readonly [AppColor, number])[] = [
  ...[['red', 0] as const, ['green', 125] as const, ['teal', 180] as const],
  ...[
    ['blue', 215] as const,
    ['violet', 262] as const,
    ['pink', 325] as const,
    ['red', 360] as const,
  ],
];

/** The colour with the nearest hue; grey for low saturation. */
function nearestColor(parts: readonly number[]): AppColor | undefined {
  const [red = Number.NaN, green = 0, blue = 0] = parts;
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  if (Number.isNaN(max)) {
    return undefined;
  }
  if (range < max * 0.15) {
    return 'grey';
  }
  const sixth =
    max === red
      ? ((green - blue) / range + 6) % 6
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  const distance = (hue: number) => Math.abs(hue - sixth * 60);
  return hues.toSorted(([, one], [, other]) => distance(one) - distance(other))[0]?.[0];
}
