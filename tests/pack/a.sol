contract Basket {
    struct Point { uint x; }
    function total() public returns (uint) {
        return 1;
    }
}
