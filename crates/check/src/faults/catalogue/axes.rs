//! Faults of encodings of several axes: each is found by predicting every entry under the altered convention or positions.

use super::super::{Code, Fault, Thread};
use super::positions::DECODED_WITHOUT_DELTA;
use super::rows;

rows! {
    COORDINATES_EXCHANGED: Fault {
        name: "coordinates-exchanged",
        code: Code::AxesExchanged,
        cause: "the coordinates, or the order of the axes, are exchanged: no table tells which",
        advice: "compare the order of the axes with that of the columns of the positions",
        threads: &[Thread {
            name: "huggingface/pytorch-image-models#2541",
            says: "height and width stand in the other order where coordinates are indexed as x and y: images that are not square are wrong",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    SHARED_POSITIONS: Fault {
        name: "shared-positions",
        code: Code::Positions,
        cause: "the sequences of a batch do not have positions of their own",
        advice: "rotate every sequence by its own row of position_ids [sequences, rows]",
        threads: &[
            Thread {
                name: "linkedin/Liger-Kernel#477",
                says: "a kernel takes cosines of one sequence for the whole batch, where each has positions of its own",
            },
            Thread {
                name: "epfLLM/Megatron-LLM#23",
                says: "positions that are given are not used: every row is rotated by its number",
            },
        ],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    SEQUENCES_EXCHANGED: Fault {
        name: "sequences-exchanged",
        code: Code::Positions,
        cause: "positions of a batch are in another order than its sequences",
        advice: "order the rows of position_ids as the sequences are ordered, after every step that sorts or drops some of them",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    AXIS_LOST: Fault {
        name: "axis-lost",
        code: Code::AxisLost,
        cause: "positions of fewer axes are used where each axis has its own",
        advice: "give every axis its own coordinates",
        threads: &[Thread {
            name: "vllm-project/vllm#29425",
            says: "the index of the height is set to 0 after it was computed, where that of the time is meant",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    AXIS_ARRANGEMENT: Fault {
        name: "axis-arrangement",
        code: Code::AxisArrangement,
        cause: "the sections of the axes lie in another order, or in blocks where they alternate",
        advice: "arrange the slots of the axes as the model was trained with them",
        threads: &[Thread {
            name: "vllm-project/vllm-omni#1784",
            says: "sections where the axes take turns pair by pair: half of the pairs turn by the other axis",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    AXIS_SECTIONS: Fault {
        name: "axis-sections",
        code: Code::AxisArrangement,
        cause: "the sections of the axes have other sizes",
        advice: "give every axis as many slots as the model was trained with (mrope_section, axes_dims)",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    OTHER_AXES: Fault {
        name: "other-axes",
        code: Code::AxisArrangement,
        cause: "the entries follow another convention of these axes, which was identified from them",
        advice: "compare the configuration of the model with the convention that was found",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    FREQUENCY_INDEX: Fault {
        name: "frequency-index",
        code: Code::FrequencyIndex,
        cause: "the frequencies are counted anew in each axis, or go on from one to the next, where it should be the other way",
        advice: "number the frequencies of an axis as the convention says",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    FREQUENCY_DIM: Fault {
        name: "frequency-dim",
        code: Code::FrequencyDim,
        cause: "the exponents of an axis are divided by another dimension",
        advice: "compute the frequencies of an axis from the dimension that the convention states",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    NULL_ROW: Fault {
        name: "null-row",
        code: Code::NullRow,
        cause: "rows of a prefix or of padding are rotated as others, or others as these",
        advice: "leave rows without a position alone, and only these",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    DELTA_LOST: Fault {
        name: "delta-lost",
        code: Code::PositionOffset,
        cause: "from a row on all coordinates are off by the same: what precedes (an image, a prefix, the delta of decoding) is counted otherwise",
        advice: "add the delta that the prefill leaves: the largest coordinate + 1 − the number of tokens",
        threads: &[DECODED_WITHOUT_DELTA],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    PADDING_COUNTED: Fault {
        name: "padding-counted",
        code: Code::Positions,
        cause: "the rows of a padding on the left are counted, so that a token's position depends on the batch that it is in",
        advice: "count the tokens of the attention mask: its running sum, less 1",
        threads: &[
            Thread {
                name: "unslothai/unsloth#3699",
                says: "generation takes the cache's position, one for the whole batch, so that shorter sequences count their padding",
            },
            Thread {
                name: "huggingface/transformers#22382",
                says: "GPT-NeoX and Llama took no position ids, so that every token counted the padding before it",
            },
        ],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    NOT_RESTARTED: Fault {
        name: "not-restarted",
        code: Code::Positions,
        cause: "packed sequences go on where each should begin anew",
        advice: "reset the positions at the beginning of every sequence",
        threads: &[Thread {
            name: "pytorch/torchtitan#2559",
            says: "documents that are packed into one sequence go on with the positions of the one before",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    OTHER_COORDINATES: Fault {
        name: "other-coordinates",
        code: Code::Positions,
        cause: "the rows are rotated at other coordinates, which follow no pattern that is known",
        advice: "compare the coordinates that were decoded with those stated, row by row",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    AXIS_SCALE: Fault {
        name: "axis-scale",
        code: Code::PositionScale,
        cause: "the coordinates of an axis are normalised otherwise",
        advice: "multiply coordinates by the scale that is stated",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    AXIS_SPACING: Fault {
        name: "axis-spacing",
        code: Code::FrequencySpacing,
        cause: "the frequencies of an axis follow another law",
        advice: "space the frequencies as the convention says",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    AXES_UNEXPLAINED: Fault {
        name: "axes-unexplained",
        code: Code::Unexplained,
        cause: "beyond the bound, and no known fault of axes explains every entry",
        advice: "compare the entry that is shown as the worst with the exact one",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}
