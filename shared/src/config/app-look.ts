import { z } from 'zod';

/** The icons that an app can have, beside an emoji. */
export const appIcons = [
  ...['chat', 'pencil', 'chart', 'scale', 'code', 'book', 'briefcase', 'building', 'bulb'],
  ...['calendar', 'headset', 'heart', 'language', 'mail', 'microscope', 'palette', 'plane'],
  ...['receipt', 'rocket', 'school', 'search', 'shield', 'cart', 'megaphone', 'target'],
  ...['tools', 'truck', 'users', 'world'],
] as const;
export type AppIconName = (typeof appIcons)[number];

/** The colours that it can have, each with a tone for light and one for dark. Amber is for skills alone. */
export const appColors = ['teal', 'blue', 'violet', 'pink', 'red', 'green', 'grey'] as const;
export type AppColor = (typeof appColors)[number];

/** What an app looks like where it is listed. */
export const appLookSchema = z.object({
  /** One of `appIcons`, or an emoji. */
  icon: z.string().optional(),
  color: z.enum(appColors).optional(),
});
export type AppLook = z.infer<typeof appLookSchema>;

/** As the file of an app writes it: what is unknown has no effect. */
export function appLookOf({ icon, color }: { icon?: string; color?: string }): AppLook {
  const known = color === undefined ? undefined : colorOf(color);
  return {
    ...(icon !== undefined && (isIconName(icon) || isEmoji(icon)) ? { icon } : {}),
    ...(known ? { color: known } : {}),
  };
}

export function isIconName(icon: string): icon is AppIconName {
  return (appIcons as readonly string[]).includes(icon);
}

/** Whether it is one emoji and nothing else. */
export function isEmoji(text: string): boolean {
  return (
    text.length <= longestEmoji &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(text) &&
    [...new Intl.Segmenter().segment(text)].length === 1
  );
}

/** Families of several people have as many UTF-16 units. */
const longestEmoji = 30;

function colorOf(color: string): AppColor | undefined {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(color) ?? [];
  return red && green && blue
    ? nearest([red, green, blue].map((part) => Number.parseInt(part, 16)))
    : appColors.find((each) => each === color);
}

/** The hues of the colours, in degrees. Files of iHub have any colour, as #4f46e5. */
const hues: readonly (readonly [AppColor, number])[] = [
  ...[['red', 0] as const, ['green', 125] as const, ['teal', 180] as const],
  ...[
    ['blue', 215] as const,
    ['violet', 262] as const,
    ['pink', 325] as const,
    ['red', 360] as const,
  ],
];

/** The colour of the nearest hue; grey where there is hardly any. */
function nearest(parts: readonly number[]): AppColor | undefined {
  const [red = Number.NaN, green = 0, blue = 0] = parts;
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (Number.isNaN(most)) {
    return undefined;
  }
  if (range < most * 0.15) {
    return 'grey';
  }
  const sixth =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  const distance = (hue: number) => Math.abs(hue - sixth * 60);
  return hues.toSorted(([, one], [, other]) => distance(one) - distance(other))[0]?.[0];
}
