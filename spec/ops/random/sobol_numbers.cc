#include "spec/ops/random/sobol_numbers.h"

#include <string_view>

namespace plumb {
namespace {

// How many of the dimensions behind the first have a polynomial of degree 1, 2, …
constexpr int kOfDegree[] = {1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630};

// For each of these dimensions, with a polynomial of degree s: its s − 1 inner coefficients from the highest on, then
// of its numbers m₁ … m_s, which are odd and mₖ < 2ᵏ, the k − 1 bits before the last one. Six bits are a character.
// Polynomials and numbers are those of S. Joe and F. Y. Kuo, new-joe-kuo-6 (https://web.maths.unsw.edu.au/~fkuo/sobol).
constexpr std::string_view kPacked =
    "2QJM2JKESJ3ZtANBXsvDYeGj0qE24mOYrTszKU+B9s+YnzHiHOOL5GgMaOmSOqcW+PVVmjzmImifeBIEHTJdlMxylO1gbq5bpGUJai3SuA3DYe97"
    "cbzH1Q7QHT+Zj0V3/r7AtKpZviaXaxhF79FoLMecfAnZQSUHM0UlR05x6ELLkOlyTo43rz7G1CFfhwwg3Vyxn7hCSPnFv/dXopatQgjLkL1u8NtE"
    "GwQiEAomWCqxaLDns/kZFVD7RbLFUdhztS9ebKA78079NMRuNwbPvvKTtbztjFA+Oy6auAQxa198kkp1RuJ6FRSg1AFBUnrHB97VfBKgygVbO8w3"
    "/zXqC/YtP2ckE+v3ZoTt6XmQbVY11b9XoIDDaKx8PDnIMQiZTrRnV4qB2v/xiPx32lWYkUQC58SpgouDhk+dFMukZwp6t74yh63RcMnTmwYu3yPR"
    "tSrFo2JbZ8ywvOK55Qx43gv55mmsB8IAISSL3Hnepwbx2mZbVB19ykol4a7jrRqZ2U5TFQN4Tub/OIXmrqYTcils7LpaW4fPHG6g/u/0SUSzps/a"
    "+kg9SQJOQkuLe5Qa0U3/6G8wnGg6/jZKwsclw+Fqexl9JhEIJcBvlPQyk/UiAj/xyrPiiK40wS/wVDFHSMBOfxDXwL426kPzmqHqXbLpzzcniWAu"
    "ET+27n1+g6kNJhIzjUwEZt98jgmqkiT/Pq1tE0xw3IZ3DYU8HRtFmt4lCpGVnacRlX21rQiBclrxfIYyXHWEbF7mt2TmPUqlTKpyWWi+8kPHOGho"
    "Czi9ZKXH2WDptDJnlWVPz0FZn33C+kKB+H6csys56mISZwby7mJIVIDuhW4gYlNU/tO3aY2zH+VgxgpD8sMmo+JJOk3H4e0WJaXv7i+g8Z4RbgL4"
    "wC5+fmxGTbL6JGaWfuIma1TmyEtQAbANiIC3ezrS3uMaDVa7fhYlSj7rL9Wvk1d/ocWewzgf5zcdwT1528+sgWFRJJzLs5cQO9PH9NGUyQfJLpdN"
    "2CbfllJtUIDNsUWzdZPfHYa+Jdivyk/1+rt9VNnpbH6uNsntYyMAOTLrKmk16exbI+d9cFfa5U/RUTz/y89F/Mu2v4GYR2OZZwCv3HD04EJ1AX6K"
    "66h28RjBVc0bclk1LkCyyoMh5MWswI4A9DrXuxNoYvRATdrGzRwyN0I64u2EGBx3lPCN0vcFD2xYrZngCA6I0Y5DsDXnCwSitBxzlb21wn344L+i"
    "739xUgYm2DRF4ECw4IziiHo2xGdzMe7DjjDWNDNnVhNijcIcCW0+97rHWo5nm6V2td4ex1F1m0uFGNtD1+QmpALaruIbhKx8k6X8qRN2ACG9auD8"
    "kgLkJuhuBpRKE+5kTNxT2Cd6LZBPtp9+E8wEVxu0xcxKJllqw6MimEUnKMtGaxtQAqCmd3kiid/pW49wYQp3GAy5q5V41/qd+l1+gikY94JYL/Z+"
    "ILuXYjeYI8V/vkJYhgxx7GVjJUlkpq/PMqUQXInzW9s2SyKgaxm5/Lasu4MOzOOHmFTQUvjEdjWloZclR0s8osFBgFI2wx9xKfhNm1uK0AMXXdUb"
    "Sh/IGAs+IqkrUpQn1EZBihRbEhUFV5CHHFUJFGUZ1iT3WdqSSKpzP5TLPkwb3bG8sFV8psjNFjO+lalTyYIdR5wuwwn7ZFgYXi8u5QoKjegMQXNa"
    "kKDK+mctRsVOuCRt4oqbBKmaHsemt5AYVUPP40nrGR2rKq1bQEaNIhWkkDl9sV7kq1D1+piMXam1vW0nhV/spILpFqSN5NHbDXdFu/fWGJ7IvF7N"
    "YaYXlXlfd7qi1376PzA60Egn8MtMWEed/AgLfvysQ+Jz5mmJz7ZlyWF1fzm/Ez6lN83oQrVxoEkTqxn79bTSkywFkq2wXWsIZdS6RNAJNePjJv1N"
    "2YYbIyHNl39Mf029nfEZ+nVvlvvzfZXuFSlLh/YKPO+rdTHFppkpEPUGQuSIoIAQKpELcpGTEFb15F+6+zEqk+mJjZ24CylAYUpvbvHzx21x1z+H"
    "k40kEiiLwyPbP6yQXlIkNe55TwKVzTs++eZ7kDy7/7h9tDUsHxmAlUC82aTd/7meIGNDMlwQ89oQZZPSidSEhHg9j4E0zqep/FYJGdU2Ku9eMApC"
    "1CMNe9cazJS1orDBOI5RPHMIjOcJyE1FVy3xEV6kTeve33wHp3JfkDFuH5U8+TVlKIYDh8xcnD/QanENYHJZx0aOggQlcS/N6Wo6GBH+mN7xczEf"
    "vJvMyuJOHynXN2aaqL+o7wYrs1G4/ASw4ZYJxS8sudi3X9ToKizucyCLsntVa79JmCzrQLQK15VfSGyhxRV9BypXb1HZJNBRhEtlaTbMDu+EhH5U"
    "tCi6rQuhAYqDWViA05K+/UcTiKaBypgiqgChAqN7Ad9WBpGZWlqAMqxTgDOJXyszVvfcqrjvD1triM97tpBtjzZLsaR2QOq0Gz5A/WIJI1ENqErQ"
    "A5JoOArdQ221DNaVc29rkV79S0NfuRegXfa82bnddojlmzhpPW7alJlQ4uRCt4EPb+Mo2vHrzrCD6QkVWm31s82upMMXawJb0YBmtLeHhzAStXbh"
    "9jXEPMFoiKOvbOJ+/UbQG/w+sVfCB/RQfpg4zUWkLH3OfDxx0/dj+Q5dTka8iayJ26hDJfAiy4fGo/GVZ1pKadqxO8vzd+yL7lPV5xRkYIOTYD7z"
    "3uYCzBaeHzn1ShOXeYQV/QD61rZweft2kl1ZmSrp4tNPDMw/mGxvraiVMHHO7DE512wZmHlyzQZs/Jy1mAaGxbbmTpaUSHpN28qGPRRkssjd8c3Z"
    "yZg8LtcKjmdT+TymX4xk/EmeSVoXzHF50mO5r5vmytXOY9wt4/XCrduF7/O2u1P3Nwixvui9tCAZ3fyCHx7oB6rCFPzMf4IO4sHePI/PyCSLKDFN"
    "SmPlwnxN7AI0/fNt1fHJdSohemcn8k3CVCo9bkerYXJnmZ7WKpjXCusLj5vJhyJeK+Pf06lEqbz/aGPy5w+ykuEUpfpmSroSGU3DBS2PfKEdl905"
    "4DSAb51b6YC4LoHt9w1g7jeViAoPrT1lT2cjOfYgmKv1QSh6Gdx+BodrBe0/8EKDADrud+tgtbczLcIN3eWqygIz0fcR5rya2sHU7XpQkcWKaJY2"
    "I8USROwkBKtnf9FBmCnjd3q9/XXB+AFXtXGRH+YZCcmLAfkhpJOBpLuEWqzR5vnsLWZnwwqrUv9veZF4lBs2drzIhmBBbfjsD63wQx2JqEsHfIx4"
    "bRskqMwGQawoj6JgVr/XUjdu84erNBEogpHj1RDvH6QU+diZiY7aeJwBHW4E5IL8onjlgelZJ+DQlql5APPoEVw0Ydon7isktQsC3nIB/IeVd0pZ"
    "fYhImlTyoElDDupE/rZ0MvUiGOv9gSEQCxtfxMgaaEldMfr2toZx8z63kzAXxrEz+xe4JSTEDgCpph+rqPUySSx/jcDCBFcwlr9V0nMpaE2NMN2o"
    "8rOjsePZvvVGZModTffdXlvdpp+pAYf9+64S4N9A6GMCnysfF4a/UUNhHd2cTN5XdbonKVRKUFleJlvRdjJlETGR9wyOjPOamFBQC5vW9HUk23YZ"
    "THOTJKUyLPA8HfYz0aUrFwbXkSxOiZOppSrheP+Iv1+RUPLOh+TXclbM2o7jgkUdCLokJ9U00EXhWwD8hC6yc5k3Rlj4rEi1xbKt7NALxM1sLrwu"
    "QyWle6Q6TXcIC2IHbD25nivWK+skautjaLhglGofYEb98QmTI0KeK2e2ZxkPmVH2QPRLAsSWmssaJKXJ8RUWyCakEXwvkc1yrmi14U7IpfyGAdbN"
    "xW6zHPwYEGMbzjKd+1VcQ/BhnXQnGXm2s9TfBfOilY+qgaSe+dWd1cotvIC/ChVc8S2skWL7qTv5h62msqwI8elK7L2dWJQKT+4Fra3vk74X9hqa"
    "KCevgvTl6jRt4+o6hWp83Q0/k5smBC6rTaxtPqfrlCJFiM+F7uhm408S34RS1zUc07EYuHd5JRXWu1npR398zqaIk88L+ka2yDBi6pCtXBJrsspM"
    "W4mH3QuUE0tFRLTvk/J0srrVnJoeM7InZew2A86XQAFo3zFwOux1zCl6yomxF/GN8b+gFK9N5CdNjw9KnuVqclhQm/auLW0/s5/QJ3lGttqu1Z5l"
    "tNufpjjOtf0NKq7J0bZroh9orz7KHOUd1yHHRlDw5Ke967zFimlKS1oMr7X/WtRfAa87dAnV//K0KA9YzcSUv6/Vw68bDvzk+Wgar0wlwN9xY8hd"
    "9YXGpbiPG4ypWuxNcFZdcZfuru1j1Lnjaq3kGLxbVx9g9H6QfcbXXIVIUl6gDkp8yumu1vs9yzydPXd+rOoD3fl9DUq8G2+LcjzOn3ed6fy7koF/"
    "GymOsBK+dMYrPxlKdYIUk16z/H9c27wWl9hDhal6HyPhOmT8XWx6UE4XExDOciv5iQyIeQ51G1/6QIvWL8n30YS9ZqEGBTZS9ORTvIJ2eoWy6nEO"
    "eSUS/1EXmJcsTTb9gfAdjMnJ7qKWUH1llOZyKtyKY/Hi3b88l1Pq+qCQztWaDGB7mFzUBboB0jyrl6BG0dcG1qFlSKoE4Ac6ZvVAVHPZSSVD9Smr"
    "WNALyeLACq4ddcEeS2wBuoAMbCpkLYpUpeihE2IMaokN14p8jnwpulkFarTHRo3hmWCoZOhFLOAnFzXm2B679HfsuRPpyhO1tgpvD8oSm1I9oWqv"
    "KL5n0Bm6OzkyPfvzmsQkYhMqHo3To5XVroSCpmiTHcbKJMA4inmsWfEMOOEgwHiA5I+NlD6yCEpTUPd8nNOAQqealJsX7jVHG8X5wV7rH5hBhmjx"
    "WFu0dv3QlXXBxNQMGOvvaiGwJwHm7my/kk53AcgmIh8zANEpKcvFfVOnfVSAT4OKxA7OGXtPLZAaBzaSdT4sMiHftAp2IzVLaEOqY0/PAyu3l5vd"
    "PXmNePEA3kKGxExzpVSwS1BFUOCpMrx6e7M37BGg86w2oHD2wITwBPUI+j3vSGSRAkKBS1++CvAMMEFFZjBXLgORsrnWlq1VcBdyNQnaciUUg6wT"
    "BeMQTeTz1MT3YfrBhU9LoO1X0jwEspBkvv5PHBzp5oM6XBwitj3q117w7/ylB5QJtCqJDA65tJVCGTvVTX/ws8Ii9ZCKoRUu0deWy+CIqCUwahMe"
    "SYf5t/iXCX/oxWFrZyCwZSSCdB7K5xDj7rtEEOChwQ3FffHKkf2uqCzFiiS+UkLjxPSpC1xspfMupqxsN+MC8Zjo1pG9/GDkNXDEq/tGZ6hkGHyO"
    "LDL6gwicILgBRRw7DO+PT0gGR0snZW6DfZ9MWwXbnZFQixDgAwhfDAnSW9RhIDjkKR/bXE98DlTtDm5SulkCODHt4mODvI6x0+FPZxmneiDxLxXh"
    "zpRKzr45LD4hWPb0o9Mo8ThiD9DdnnUMebaN9PcEMFEZEOsWBf/VUGES/02D0gqLtqCzPEb5MEYmivxUJWVEEew+QqNURoU9s3VEhPh1KCJqe1fT"
    "8iEtIoqi92WnG1vSnEu97m93oJCXPh/WE8Jk7amy+igr2zAE/i6Mgsmmt8te/oFESlYeLgVCzW0CdFL0P/TAwy3hWAMVFNF8ZnVzIT7qtMIFZaka"
    "9WFPNMkbvIFfQPDaw2t9r48wvFmDDwjMB6FyW3XGF3WhUph//siQqJMF7hY6ntpZkikFUlF97rtsrvYaqSDw0GCV3RWliy6zsiB/GTJSDoGhAAZI"
    "3/UGVo4REYZ97SCjeJGjiVJaxXKwpWgOsGqHbNZP3mNPL926GsNbctwcD3fQBumG3SPQuxq6TmcLobG4qjWf24w1J9CirG+2CZnWgwQ+4Tx+HDZ8"
    "Rg6iYFIA/kwHGXdo6p3POYbIUeHKpRPAZEKQGXG6+HRhVQLDQLctLOB7HUZhXxshYJgSJG7HYy4ue90oAhDPKIHbtAgV51+9U/IG8Hd8tJNuGZOa"
    "7zoiHw56xCLtJVC1A7kH252SiR++hror9nH8aEdceQe6d3hwDIFGKxFML87IPb1YIJlNSYtqa1FQFBiIPvHnkIOsfqTgBeISKXfMR0qD2WQuLIUf"
    "6wHikULnWCaBIeTZ9DRjJAwqqn/Io9HYo86Vc8OWTJIrL7j1nWk4sPMQ3Iw1vGUSpUMCtq8cI2mqLacJQ0H0t3VI/tQl9PaWkof5EtJBD/0yD0pC"
    "sy7gZJNzqVd+bcX3GeUdJOUi6LICy0hJ/5iJaRWPGO4tDhLf88JfiT1M7DuPpQlh6Jg1lO/C/Nr5Fm6oJjlb6L9oz59XkbZJl84YtEojNpZHx0Jx"
    "9wKeH1CzR/amRKE/YUMc6flAcvsfKL8RJW5JvqqxREmKOKq7TaVycgJc+MKQ9R6xX8ocZ08maKWX+j7jHtaoUNpFKcGjSLEcPNpu/WHKp9vIwQYc"
    "D5YAibKqzuFhTPDSuIsLoKxLAxwZ/uwTbDNwK4rY91+a2S4oIX2K72JO2mt0bfXB8bLDm0Pc7yGOp+bEeLF9BfrQPWZEt3cyLKq0vwHOMf+2nXAL"
    "MpfHk90h4wfTCgLPKS9YAZ/OOxfyhLX8CFcTqu1hGS1QLemm1/EOqU+6hixLiaP6CPdjFH3+2PLnGSRaIGZ9xpWGuLru1Q3Q0whWTFIoL1dsxUlu"
    "iQSVUxDMBbxo5ZxCYSpTb1MCTbGNNxAxYIL/FMIO8hoPmuGF5VAaMWgqmFJVzSSwsR6Mflih10rlduq5uVMlETFmbMcQPPBJ0Mp5StkfXFM2uBcH"
    "Ms2Fju0VN7HUtu/M0XPcGdqTdBp6yhM79rh9uv1jjtJ35M910BRfBX+OA5duNDgZddZamudetvcNJaiqR6Zm2+AbA5NM/z3od2p9wDpO5NYa7kvY"
    "qron78lRNbFxLIBJB7f0cE4Ne64/NfFYcdORJONhzgYuAsPKMdljjN1lPgb7J7M7DM/JN6Wr/PRz5m08ZTrOJVFo638k9q+UXaOUNom0yehSUe/V"
    "2OduTnnpt2LxmL3bOnE5WJG775Sf74BOrEVBDAsIad9wZaOuHrNvzlyC9SYP4O10t0xrHv/GQ9MuO5K4SrwI1tx9kz4O8LPyza50AWhMjkPBNPdD"
    "3CIvjG9N+PI/xF1L7s2ELhMtPQGb43CyjoIf0dpPcNB+sjL8B9XVAzPjYv7GBWRgGTQuTPlYAFSaIrRXJrjLPvVPwjwMWVojK9JP3eXQudINOpoc"
    "QiP4N1ZISURdyRwx5QDqewJSYFfF7CpyQMuSU76BjEP/9GMQPz/Ycit6CTVvuIQRfFgFoGPKjRd6KQYyjUAMQkdUqQSHQdr2+GRdUAPr192QeKsg"
    "NIeBO/djXuQimev18hRGDxZpCQzGzWpCVPlwxcHFQ6wuVQhnoKmW6onRCbzjpQHu67tq3GRVoZn66MmTaxXxkRWR7c/wVTyFHxPjRfvjE49gOlnU"
    "bGZRmXwPsi8AhxpTe4RqxdKnMoYgAgJS0RvI2vFkD1Ts1VCURxF6bV/drCEaA6DR06FxKHcHDtVogkR91XdVRry7IyUe/SEcK24LRXZLtejESH36"
    "s4kLaBfEOmdSIPF/RM6TEypjBHSNUK9fdaWGGZ4PASVoE7W7c9vzTw+9Sadfm8VE3PWWDsOSfyooQYN8ySqZKuSgd7Nw5sNwNzWPdSluErCW9XNo"
    "GM7oSqGm1nwtomnnJr5S7jNwCac36BmBCTS+nIIBylGx5WS1XTAHgKLF68rRzmV5TJpSTn2iTyEKQx1TPHzoDsvA7GyjyfTXiDHQoXLLXgqNCTb5"
    "SRO7j8yOrJGYTeHgkOo/3dE2w6NThm1qhVVm6sjDmKTrmhHvdHOMfkDzHT56P+BMyisIC+9pT6wFtUBQ2vmbqFbUBqrplsRBj2rZBaUH2A//auVF"
    "0yn9BUOy8WxnMt1c5DvQUQTaPAyDYRKzsN7UZ9e+CQbEocVDH/UagE0WmQeNNmJFSUmJgaSb8IkWCsXPU0GEt+PiGx39GB3U3fnQMiz15W98XxU4"
    "fz/8A+MImxR/sU9eTHjkkHfOlrAXU+uYsYMWk4hSzrdVSGt1az6Ee3ovFXVUbYY1sa7fVfL05VY9MBpceBTlngIhViyBoAIfJ1EIMuCVr8mBELUx"
    "2uBMA7VtraQGv++oPSY6rV1Y5J6djisuMhvkV5gJ+7+ma3R+qqRWAaIXt8X+BDfpQfWKXAlYIXc7YOK5eWRhv/qn/wgPqCjcWSr1h6DchHFuyChW"
    "X6VIYLGyq82hg8WbmRQwOHhu6ZVpmWhY8y8FacmF0zz+Wkr7ZmXRFptJDsdW2O5MeyoUh9HVROW/IBpGQwR09flRPXCAGg2NGIF64cuoXLsFHZSH"
    "6TbFeRKXNDe4OE5zS1GlvbXW3iFSCUjsY1bsvXZV06XXPSVn1ZglXs7DcZGZApkOsHSXylqQNg7VKL/La2X+shGDuWKgnZhRqYHs4O7Kx2Rd0Y5o"
    "YQ0NXrGrrXhsimdYVKZ+IglYGAsI3SYWq+OoXL/tJcE4RYfuiGPrI7wnPOMRYgl04rbWTPd1GGuYmWaLf+b73C04olY4FkNhJpw9S733vZFSrE4j"
    "+Uot97GrZG65NTY0grTac6aZKDxH0EavQ/XWW9ZRslehOvqQ0jI/TZXwIpAHKdWIWYYeZeOcXVlFJB3I4T0ZicJQi5p8Mt6HmXZoEapBooxmIztc"
    "xZruxQR309vlBVu8ZwrCdlXJdO56vVzZzMnFr5R/QWWQ1AZ1UQo/gVSmtsCOOaG/5efdfCEE8gzZaMsrPptvoVt/auBaUTGhvXDS/5Y57baXELDA"
    "68PvXn8KKabJahpdvBaBZN0ladY9i4T/m//p3LzaiPdbQCClIVB43DattgVCRKw384thLaz77rCfG4UURHxCa6tZplY1Ek8EkpBbEf5cnJ13dvf0"
    "UPbHMg9NZn2+pLyAFbTKKUFATaUgPrp1bVduQQUEfIEBOs5ba+wjAMT7FRNvLQbxRo/CiE0RTcUv6b4lZsjaUUZK5a2Wb+OmfqQgAUJRFnfcDIV5"
    "Tni1ixj3EScJ7d07MXsmx4YxYcKS4mBDrsBSLuKicUoom+gjC56wvOCckpWZUPeQKX9xqkcncVnH3FTxPAtPdctkFWcLC680tq3LcuLAoQf4dx34"
    "D2ccwJeekHtdAtGwdyc1cn/sHPgxyTTYfdH/yPpaqyR5fo3MdIC4i/EZ2PUMcRvdLf8kbqOsbRLNxBdOgJM4yWZ/TlCZZdVhjONzfCqChtDWdZm4"
    "zK4D+K9Xk1odcPNkohN9UzpmPldvx20aRwvpeI5WXd9ICcTgOXMGmMdSd+OvxtuZa9QViffeC6LvWKXtDbFpMgeEw2GPbysamYCn4eIIYmeQL7f7"
    "BSQWeL2JzapuqSY8OjrefAPwnSCjDufbTFeguBGaNvNTQNp2rel3zTl0Mrct/8WeemYN9cD2geEpBkOesHpBY4JP7nt/YKevMiF8BXcxH0kSKeyz"
    "tL+h8kdXP7RYe0qJM/jlWNr54cbfKcqmDtAwGBbT8efSdRyP9G6m4gUK4fX4bL05Y0/JbpCOfYHowhvGBN1pz4hfnbyTXafMRDJaLmfuXtCPuhyY"
    "6cwibfzLTtTT2vuZjDLVf2seAX5AnF910vUf6gO5VB1FJjb1ugf/9Ghjq7wtEdB/agDL9OdbtL3820IpgKZwd3+ZHHZRc2DgM3Tk8dSAVbBgFagX"
    "w61phecxtqB9NgkOXynO6rZinJqIgn9LMJrxF/lh7sKgz6Li3VExkLM+MKg8xzedgo10fhH7zg/IqkMF+a89Y2ayhIgoc26ApYR3CTYhQxFazWVu"
    "L9ABYuhaQGWxJ59cxNNeOhfS8YWDG2N1616IhgAjuHTClT9MvDxhpFOmpo3H16PA7vhsp93QG28scwluMhyGsIFPtn/E+AYEh3RK8D2Jw4Xg77Ti"
    "CnaF3bpa6wfWfhiHwkeXNNuFZaHQBiaUfC1HYv37hkUOij8mh6wum4aF0icimQW36rCbbPDu+OivvagGfZkhNteVYixpbBQ9ix9g3H3ui4hOokZC"
    "kMIguHei94fJeq+1KuxqatjR0yMMYRZlji2M2jUteBtouFe4bbKkjbxz+8SgzKwMF4zjigLmJ3NvVW+4c3jk1VRkl3caxHc4DjtvLVuaqD60sO3v"
    "jwfVWKcflH18WpLj1oRS1fibPP0s2Xj2PeHjx9a8Z50gzj5E88Y6sYch18Csj/4t18ujtahsrXNkEbR060/41DKRphkHVaViRKd3daHEGkOzLrf9"
    "vcv6h2g2kTD0t6Ci0Li9sdlkcF2GNcZ5BSudgSklyaR7GIZnI+Cq5kpLtOqqNgp/DhDSkszYjKgrmoPV5pLkyHSyO3IQ7uFE1flAdSxG1U0VysiW"
    "qlJbqqRCRWYR2p2+lMu/SQdK7SJ66qnlPim1G9gbf/+TGKlUZX6J5/jJy3XaPlbUbC9x3N1/cZP+ld5yX+8ZWR49+1slhc+XA/B0E2sDrPlrkvve"
    "4kLn12iUBltGODVkhLmBOHkZlzl+ReuGWQzlCg9mDulupstEenuLAsmKPFKPsYhF856wDmXbtmsXxfc/B59jmouE4uJD0b2CJrLmuxy94o4TL6X8"
    "CTm6MlOOq1cC32RTsnLMLD55O1h8V42lnNECmzv56rY8t+rnVgaGz2QAM91qhUnclTlO4vCspDk3ungZXCG1ySCraPjHnjhmsOAUwJlgoeZnqdJz"
    "NeUhoARiyTnx/qHVv/elA5outny6QP0mziRcX0Syn7zkUDDxXl8rYXZn9QVSjiKINwoJSfoEodGSLd2DMLGo3oNJHd7ElMPiettvoThld2p4idGk"
    "k8Yogls7XzpgYXlyDMomH6SuV02wTPGVUov92atB/A9tmgD3o0dHVCG7zfb36DFo7AeV3R7fVKZlqQo9rMoTRF9c1kJeUpDRnGvG0GRY0s5rpJay"
    "mTxoSXkRprapMLMAgbn/r44rA1pS1KP7CCxTJmTw4peaUyy3QGXtceQdpkLL7hhlJwcq4/aptyGo80/ekjc6mBpzb50WvPW5cu2vdp8BWFkrYsFn"
    "MeD8qGwaRLsCkX9MwQZqP+LGfprgIhPrPGqSkAJmJ+YOkxtBuqY3okmTK+ZteSvOqbI/ZinSYvDwo86qiItXls+Voj8yhuqnpixG+FxvFqOBNquH"
    "joUIHst3hMWjq2A03aZ5+PO9Dkrq5i/CtIYmE8I6D8q/eX5X5ykmB9DgWrO9tpEGT391LBZXrQU4eAc4bzWrlIwrckbGLWhMiqX/pQrmHRL1ADFa"
    "SxLV9rqvdN5aVzz1bLDzrsEGQYlxAxjEAJ0rxXcxDdD6EeGVOEr0h3h4mLGatE7aor3Ac0KkLx+xwHaRsArEDw8UhX6fx2ZsFThtCc1MwHAwmJsP"
    "CnFuSN7Si91nosScU0mISNvi6UvAsXfUcuYDzJjlKyrsdp2V5SZKUNbOEZskxrDlk2nO/DXW+soaVKsRKqeBh6KystycMShDJ9U6kxps5wTzBqfB"
    "mbqIEzs61+ojIj5ZT4ltftIgcRzb/7DY8u2BtNvjFrdrB3VgwTktOmnwrdRwiFIspttWcjfS3jSCLHIiztljxPpIARSzXKi6tp5ldfVocn+WmOGt"
    "qqKpZ6vxYOvsWutxLIBvPAQE7VGOHt3g1Nf5Bq2z/HUtuC9pAqhfoHHXe4puHqd6mob6PoAYvKuNfNsG84E/UnHqiuQ7vbNP3BmMa7GPuWL09+Co"
    "Z7z4GHjucfkdxTYiZkYwfBugdY7SLYDsXaPwrujZsXORwG3b+cw8upFgCce0pMUALmdu4E3lXGCHfWe+2ru77ceoidDGNnE82vFj4K/ZOwDR4/Y9"
    "vKPyb4c31jcLw77vMYGKmsx38ALlkxvRwB5ns40hjOQ2cviKmjHlw8w8BXIIvnDc+kYpEui7hoxvoaZq+Pe0jvpCRQvr3t56gqCDEUn87vuWoK7F"
    "16+wzR9pvwBjVW0kINOm1JTv5Tj/ANciy7b1m2wBvdSrdNrBWDTcGwCQd1wK0sit+wDUwL7anNed6ge2Mi0wONwWZrTyqkDH4swTAA2Wm/UQYNTi"
    "mwZ8+1M7+rzSIocdwlDAkQhARkiXA8Gws4VzMcmbGuyGsEw0AqoyFYfmXJ5mKw4N3+5d0wxxNHZExRO5vcb28pzJDE8xYPsU+tRJXDSvAexd2kQB"
    "PMjCxGeKmxkumoljgb4SQdsSxnwsz7ZllDPfY1wxwTEjVfDKlA9oixx5T6ogJoEzn2+/ox83jAUdBwOlHOQ/yAN1ps9Q/eM/oPfyDhvnaHwkBhZ7"
    "pmyFwmdZ6kpG7APNVyJIJg/hBy+13q+zyYu00yvaDibID9pynmvPRKluiXY1k0yzSlGNMrtC4GKQ6y22DPelSStL32aHzBX6xEAhVmEVI5kzCEsY"
    "2gDZZPYC47zLCTtgHzcJ+Th7FzQjoBWUyaFbVfK6zT+N4PuueU6kSxYzWb2GuKStm2UFAzzl0yIX5ENX+adOIzmeeMKmTK7R2HGjzptFDcZ794dd"
    "rJiz3QWVfTkozg26YQz7PF8NPaAiioqI5z+IP8IgF3PPvKlH0D8mHDr3CfA0ArH0UaAOZJkN8TG2yp0XU7DJDb5TXKUQr0eJARC5smqZKmvn0olF"
    "QRQHK7S281g0urTjb8nR5vRO+a0wetF0BOIe0uKgr0zC/uJDUUjdi3Nw05cjU0XZYIMcgN206vri1Cls5EbLgm1EMEOmS62zlp3z81cnaozEkKJY"
    "b4rw1f5IkVjgC7DIyhK1mCGwD3M4YzQE7q1p0m9cPwx4ZaoRg1qmFg41a8anUI4o1vZ8WZoA48uc40O1yIITEOMuq+XO+N10qn32OVgNVC42519j"
    "Kj/KNjokjfFI2IlI7YOBDwGrKr/2VQHTP5NilDdLzT2W0KhU8yxHvdr8G2a7QN7RANUvoBsh2fJ4wn7gUBVWfBV2p9ospEV8SoxU4D2sX8R0Sbu4"
    "LqruQ2xPgCyIbojQkc7f2ym8ZYfDJHNOQK923PIk6Y0Y/jTjlW24hi5IY1dq926dY27dEfmjG2xJGn2/3FH6wTancwjnRfm3MjXkixkKzI+4oq3S"
    "VWCQ6D/qkLW8/3Uu9iReCl+p0VDQ3bA/yzmJO/xO0h03dx8ItankMqRV9h3oc6wyHHLFDeMRY3zdXPnHq4joUlgi358abdMLJOQwRkS3/P3Qs1On"
    "RA3gj+4Gje7ICBlrd2Iza4JxC9pW0joHLWhW4KMXLYvPRVj7JL74PN7GSWVsTJfiiS4RZsCRm9wNFdC0I4SRsv1i7pjtsUUV4dAAUf8Kcp0wRqT4"
    "nWt20618qJFDJM4uMM+QG2NS6JBvp423dK9mXgk/htS35Bu0tNK49xBeulk5HN/oFwar9v27Ip5OrwNA0ughsWVty5Tt47FOd56H7Ihp5Vh6DQdb"
    "rKvqPag5c2vAIUAWVfjP4V5j/BlrihXIvHOJO50pjveM5N7bRIBg59CKJ53aZoJSydq5+mSQHgdJ2+JjEZ6B2FRi8HugVFep46L4+G+ER5H3XDzp"
    "6NwkMrs3ZjtrYmu6QnnoM12pHr59wt6WQFKzS83ApxnjB6ZbY2KxkRYoTZu46aZZGEBEXl7hbdG6gcQS0M5LWlbYiR6mAmMTiYaLtXMB76yWvw0X"
    "6yoQruyu60OehuySAwkUj2n6+ueUb2ODCcqBu07AtRgoBlWFQvnV37KwPGXP5D/uRP9K7YYg/MW+66b/iXN7bKbZatFxuhKvJQ7hqK2H54UyhEV9"
    "d7owAFg3Lf1mEwSZ7t41wU73ytDI7Gd7zJzH7dfALTKzTs71TLOU12czP4JeF7846Oi2OsAgjFu98CxZVNZuzu7vF0j8EKFl7lmjlpnSyM8Hc8JF"
    "dIb9KIWy/8NJsE5nSaLaexOE8VQGY6pUpzljGrl8fwr1ex9msQ/UBy8gFvdTy12JOjfaW8pu5NipEdXUVmfD8y+n7yYhWgCt9kv80NM/7RZ1mh8f"
    "ae9FDlWND5gdB3ODv9RO7N/0bgfo2guf9eNv/nZXTavMBSn9iaK0jACJiyv6aM9rBYcNbU0t2VUok9uYsPYUmI3cRuhW9wfBc/3blplTIx39895q"
    "/8XpXrn3c0+G6maLnQXRIikEt+MkWBuBnadHqs5F+PNR1Ij4exSYiuX+Si/J1UZe2VbWf9+bUqumd6WspldI5+eNkVDt7KlOAWzS+hlHILJPAo/C"
    "VnZ+iiXVRMcoX1oHcV+kxj2FLPWRGksrA+o5TLCoBOIiCaB5+rRXosHMr5xg90j+w8zBVWPXqmicFk/BMOK4G3kWWtAeg/Eg7iJt/ozNxKwR/I/g"
    "/SmzKIc3bp+/VRryLAjq4z2yIM/aHY/yiDpRoZVNC/xZFO+DdVKkpdMK/7h0INbDNTI5oZD/+XkAelOlpkq1MX";

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

class Bits {
 public:
  uint32_t Take(int count) {
    uint32_t bits = 0;
    for (; count > 0; --count, ++at_) {
      const auto digit = static_cast<uint32_t>(kDigits.find(kPacked[at_ / 6]));
      bits = bits << 1 | (digit >> (5 - at_ % 6) & 1);
    }
    return bits;
  }

 private:
  size_t at_ = 0;
};

std::vector<SobolStart> Unpacked() {
  std::vector<SobolStart> starts(1);  // the first dimension: every number is 1
  Bits bits;
  int degree = 0;
  for (const int count : kOfDegree) {
    ++degree;
    for (int i = 0; i < count; ++i) {
      SobolStart start{uint32_t{1} << degree | bits.Take(degree - 1) << 1 | 1, {}};
      for (int k = 1; k <= degree; ++k) start.numbers.push_back(bits.Take(k - 1) << 1 | 1);
      starts.push_back(std::move(start));
    }
  }
  return starts;
}

}  // namespace

const std::vector<SobolStart>& SobolStarts() {
  static const std::vector<SobolStart> starts = Unpacked();
  return starts;
}

}  // namespace plumb
