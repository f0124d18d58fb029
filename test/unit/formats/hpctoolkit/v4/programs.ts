import type { Written, WrittenContext, WrittenProfile } from "./written";

export const program = "/home/me/app";
const source = `${program}/main.c`;

export const main = { name: "main", file: source, line: 10, module: program, offset: 0x1000n };
export const solve = { name: "solve(double*)", file: source, line: 3, module: program, offset: 0x1100n };
export const send = {
  name: "PMPI_Send [libmpi.so.12]",
  file: "[libmpi.so.12]",
  module: "/usr/lib/libmpi.so.12",
  offset: 0x20n,
};

/** main calls solve (with a loop of two lines) at line 11 and MPI_Send at line 12; an inlined function, an instruction. */
export const tree: readonly WrittenContext[] = [
  {
    id: 2,
    function: main,
    children: [
      {
        id: 5,
        file: source,
        line: 11,
        children: [
          {
            id: 4,
            function: solve,
            children: [
              {
                id: 7,
                file: source,
                line: 5,
                loop: true,
                module: program,
                offset: 0x1110n,
                children: [
                  { id: 8, file: source, line: 6 },
                  {
                    id: 9,
                    file: source,
                    line: 7,
                    children: [
                      { id: 12, inlined: true, function: { name: "max", file: "src/home/me/max.h", line: 2 } },
                    ],
                  },
                ],
              },
              { id: 10, module: program, offset: 0x1150n },
            ],
          },
        ],
      },
      {
        id: 6,
        file: source,
        line: 12,
        children: [{ id: 3, function: send, children: [{ id: 13, file: "[libmpi.so.12]", line: 0 }] }],
      },
    ],
  },
];

/** Inclusive seconds of a context; `own` is what lex_aware has. */
const seconds = (inclusive: number, own = 0): readonly (readonly [number, number])[] =>
  own === 0
    ? [[3, inclusive]]
    : [
        [1, own],
        [2, own],
        [3, inclusive],
      ];

function thread(rank: number, scale: number): WrittenProfile {
  return {
    ids: [
      [1, 0],
      [2, rank],
      [3, 0],
    ],
    values: new Map([
      [0, seconds(20 * scale)],
      [1, seconds(20 * scale)],
      [2, seconds(20 * scale)],
      [3, seconds(4 * scale, 4 * scale)],
      [4, seconds(16 * scale, 16 * scale)],
      [5, seconds(16 * scale)],
      [6, seconds(4 * scale)],
      [7, seconds(14 * scale, 14 * scale)],
      [8, seconds(5 * scale, 5 * scale)],
      [9, seconds(9 * scale, 8 * scale)],
      [10, seconds(2 * scale, 2 * scale)],
      [12, seconds(scale, scale)],
      [13, seconds(4 * scale, 4 * scale)],
      // meta.db does not have these: what was measured at instructions of the lines above.
      [
        20,
        [
          [0, 5 * scale],
          [1, 5 * scale],
          [3, 5 * scale],
        ],
      ],
      [21, [[0, 8 * scale]]],
    ]),
  };
}

/** Two ranks, one with a GPU stream, and what each did when. */
export function small(): Written {
  const start = 1_714_021_984_008_891_001n;
  const profiles: WrittenProfile[] = [
    { ids: [], summary: true, values: new Map([[2, seconds(60)]]) },
    thread(1, 1),
    thread(0, 0.5),
    {
      ids: [
        [1, 0],
        [2, 0],
        [4, 1],
        [5, 3],
        [6, 7],
      ],
      values: new Map([
        [4, seconds(7)],
        [9, seconds(7)],
      ]),
    },
  ];
  return {
    metrics: ["CPUTIME (sec)"],
    copied: ["src/home/me/max.h"],
    entries: [{ id: 1, name: "main thread", children: tree }],
    profiles,
    traces: [
      {
        profile: 1,
        samples: [
          [start, 0],
          [start + 1_000_000_001n, 8],
          [start + 2_000_000_000n, 13],
          [start + 4_000_000_000n, 0],
        ],
      },
      {
        profile: 2,
        samples: [
          [start + 500_000_000n, 9],
          [start + 3_000_000_000n, 21],
        ],
      },
      { profile: 3, samples: [[start + 1n, 4]] },
    ],
  };
}
