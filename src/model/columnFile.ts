/** Scratch space for columns that need not stay in memory: a file, or memory in tests. */
export interface ColumnFile {
  readonly size: number;
  /** Adds bytes at the end. @returns their position */
  append(bytes: Uint8Array): Promise<number>;
  /** Replaces bytes that are there. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Fills `target`. @throws where fewer bytes are there */
  read(target: Uint8Array, position: number): Promise<void>;
  /** Removes the file. */
  close(): Promise<void>;
}

/** Makes column files and keeps the account of what they take. */
export interface ColumnFiles {
  /** Bytes of columns of one trace that stay in memory; default: 64 MB. */
  readonly memoryBytes?: number;
  /** @throws RequestError where the disk has no room, or more is asked for than the setting allows */
  create(): Promise<ColumnFile>;
}
