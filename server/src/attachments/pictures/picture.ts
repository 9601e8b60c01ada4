/** A picture without what was written into it beside what is seen. */
export interface CleanPicture {
  bytes: Buffer;
  width: number;
  height: number;
}
