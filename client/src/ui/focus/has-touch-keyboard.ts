/** Whether Enter is a key on the screen: it breaks the line there, since nothing else could. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
