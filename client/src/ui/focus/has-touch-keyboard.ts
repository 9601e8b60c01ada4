/** Whether the device has an on-screen keyboard: Enter then inserts a line break, because no other key could. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
